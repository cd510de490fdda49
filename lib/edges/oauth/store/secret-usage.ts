import { statement } from '@/lib/base/db/statement'
import { gather } from '@/lib/base/process/gather'

const noteUse = statement<never, [ids: string[], usedAt: Date[]]>(
  'note-client-secret-use',
  `UPDATE oauth_client_secrets s SET last_used_at = GREATEST(s.last_used_at, n.used_at)
     FROM unnest($1::uuid[], $2::timestamptz[]) AS n(id, used_at) WHERE s.id = n.id`,
)

/** When each client secret was last used. */
const used = gather<Date>('use of client secrets', {
  afterMs: 5_000,
  merge: (_earlier, later) => later,
  write: async (gathered) => {
    await noteUse([...gathered.keys()], [...gathered.values()])
  },
})

/** Notes that a client secret was used. @param id the row of `oauth_client_secrets` */
export const noteSecretUse = (id: string): void => used.add(id, new Date())
