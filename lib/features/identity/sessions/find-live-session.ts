import { databaseNow } from '@/lib/base/db/clock'
import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { Visitor } from '@/lib/base/http/visitor'
import type { SessionActor } from '@/lib/policy/actor'
import { coversAccount, mustSignInWithSso } from '@/lib/policy/required-sso'
import { hasTwoFactors, owesTwoFactor } from '@/lib/policy/two-factor'
import { cookieValue, readSessionToken, sessionCookieName, sessionSeconds } from './session-cookie'

/** Returns the number of seconds that a session can be idle, which is half of its maximum lifetime. */
const sessionIdleSeconds = (): number => sessionSeconds() / 2

/**
 * Returns the filter for valid sessions, for lists and counts. Ignores whether the user is suspended or must
 * use SSO.
 */
export const liveSessions = (now = databaseNow()) => ({
  revokedAt: null,
  expiresAt: { gt: new Date(now) },
  lastUsedAt: { gt: new Date(now - sessionIdleSeconds() * 1000) },
})

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

const findLive = statement<LiveSession & { vouchedFor: boolean }, [string, number]>(
  'session-find-live',
  `select s.id, s.user_id as "userId", s.methods, s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
          u.name, u.email, u.avatar_url as "avatarUrl", u.instance_admin as "instanceAdmin",
          (s.company_id is null or exists (
            select from workspace_identity_providers ip
             where ip.workspace_id = s.company_id and ip.issuer = s.company_issuer and ${coversAccount('ip', 'u')}))
          and not exists (
            select from workspace_identity_providers ip
             where ${mustSignInWithSso('ip', 'u')} and ip.workspace_id is distinct from s.company_id) as "vouchedFor"
     from sessions s join users u on u.id = s.user_id
    where s.id = $1::uuid and s.revoked_at is null and s.expires_at > now() and u.suspended_at is null
      and s.last_used_at > now() - make_interval(secs => $2::float8)`,
  { connections: 'shared' },
)

const touch = statement<never, [string]>(
  'session-touch',
  'update sessions set last_used_at = now() where id = $1::uuid',
)

const touchAfterMs = 5 * 60 * 1000

/**
 * Returns the session with the given ID if it is valid, and otherwise undefined. A session is invalid if it
 * is revoked, expired, or idle for too long, or if its user is suspended. Ends the session if it began
 * through an SSO connection that was removed, has a different issuer, or no longer covers the user. Also ends
 * the session if a workspace now requires SSO for the user and the session did not begin through this
 * workspace's connection. Call this function at every use of a session. It also records the time of use, at
 * most once every five minutes.
 */
export async function findLiveSession(id: string): Promise<LiveSession | undefined> {
  const [found] = await findLive(id, sessionIdleSeconds())
  if (!found) return undefined
  const { vouchedFor, ...session } = found
  if (!vouchedFor) return endUnvouched(id)
  if (databaseNow() - session.lastUsedAt.getTime() > touchAfterMs) {
    await touch(id)
  }
  return session
}

/**
 * Ends a session and records the time, so that lists omit the session and the apps that the user signed in to
 * are notified.
 */
async function endUnvouched(id: string): Promise<undefined> {
  const revokedAt = new Date(databaseNow())
  await prisma().session.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } })
}

/**
 * A signed-in browser, with the actor, the time and methods of the sign-in (`auth_time` and `amr` in OpenID
 * Connect), and the user data that pages show. See ADR 0026.
 */
export type BrowserSession = {
  actor: SessionActor
  authTime: Date
  methods: string[]
  user: { id: string; name: string; email: string; avatarUrl: string | null }
}

/**
 * Returns the session that a request's cookies identify, for both Next.js and plain Node requests. Reads the
 * row on every call, so that a revoked session or a suspended user is rejected at the next request.
 * @param cookieHeader the Cookie header
 * @returns undefined if no one is signed in, or if the session lacks the 2FA that the instance requires of
 * all users
 */
export async function sessionFromCookies(
  cookieHeader: string | undefined,
  visitor: Visitor,
): Promise<BrowserSession | undefined> {
  return sessionWithTwoFactor(await signInFromCookies(cookieHeader, visitor))
}

/**
 * Returns the given session, or undefined if there is none or the session lacks the 2FA that the instance
 * requires of all users.
 */
export const sessionWithTwoFactor = (signIn: BrowserSession | undefined): BrowserSession | undefined =>
  signIn && !owesTwoFactor(signIn.actor, 'anything') ? signIn : undefined

/**
 * Returns the session that a request's cookies identify, even if the session lacks required 2FA. Use this
 * function only if a session without 2FA is sufficient, for example to set up 2FA or to sign the user out.
 * @returns undefined if no one is signed in
 */
export async function signInFromCookies(
  cookieHeader: string | undefined,
  visitor: Visitor,
): Promise<BrowserSession | undefined> {
  const token = await readSessionToken(cookieValue(cookieHeader, sessionCookieName()))
  if (!token || !isId(token.sid)) return undefined
  const session = await findLiveSession(token.sid)
  if (!session || session.userId !== token.sub) return undefined
  return {
    actor: {
      kind: 'session',
      userId: session.userId,
      sessionId: session.id,
      instanceAdmin: session.instanceAdmin,
      twoFactor: hasTwoFactors(session.methods),
      ip: visitor.ip,
      userAgent: visitor.userAgent,
    },
    authTime: session.createdAt,
    methods: session.methods,
    user: {
      id: session.userId,
      name: session.name,
      email: session.email,
      avatarUrl: session.avatarUrl,
    },
  }
}
