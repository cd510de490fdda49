import { readByKey } from '@/lib/base/db/shared-reads'
import { statement } from '@/lib/base/db/statement'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { sessionIdleSeconds } from './lifetime'

export type LiveSession = {
  id: string
  userId: string
  methods: string[]
  createdAt: Date
  lastUsedAt: Date
  name: string
  email: string
  avatarUrl: string | null
  instanceAdmin: boolean
}

const findLive = readByKey<LiveSession, [string, number]>(
  'session-find-live',
  `select s.id, s.user_id as "userId", s.methods, s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
          u.name, u.email, u.avatar_url as "avatarUrl", u.instance_admin as "instanceAdmin"
     from sessions s join users u on u.id = s.user_id
    where s.id = $1::uuid and s.revoked_at is null and s.expires_at > now() and u.suspended_at is null
      and s.last_used_at > now() - make_interval(secs => $2::float8)`,
)

const touch = statement<never, [string]>(
  'session-touch',
  'update sessions set last_used_at = now() where id = $1::uuid',
)

const touchAfterMs = 5 * 60 * 1000

/**
 * The session of an id, if it still counts: not revoked, not expired, not left unused for too long, its person
 * not suspended. Asked on every use.
 * Notes the time of use, at most once in five minutes, so that reading a page does not mean writing a row.
 */
export async function findLiveSession(id: string): Promise<LiveSession | undefined> {
  const [session] = await findLive(id, sessionIdleSeconds())
  if (session && databaseNow() - session.lastUsedAt.getTime() > touchAfterMs) {
    await touch(id)
  }
  return session
}
