import { statement } from '@/lib/base/db/statement'
import { gather } from '@/lib/base/process/gather'

/**
 * What token requests note of the authorization behind them: that it was used, and sign-ins that added a refresh token. It
 * is settled in batches, so that a token request itself writes to nothing but tokens.
 * See decision 056.
 */

/** How many live refresh tokens an authorization can have: a further sign-in drops the oldest. */
export const mostLive = 100

/** Rows are sorted, so that two replicas that write at once take their locks in the same order. */
const noteUse = statement<never, [ids: string[], agoMs: number[], signIns: number[]]>(
  'note-authorization-use',
  `UPDATE authorizations z
      SET last_used_at = GREATEST(z.last_used_at, now() - t.ago * interval '1 millisecond'),
          sign_ins = LEAST(z.sign_ins + t.sign_ins, ${mostLive})
     FROM (SELECT * FROM unnest($1::uuid[], $2::float8[], $3::int[]) AS t(id, ago, sign_ins) ORDER BY id) t
    WHERE z.id = t.id`,
)

type Use = { at: number; signIns: number }

/** When each authorization was last used, as `performance.now()` counts, and how often for signing in. */
export const authorizationUse = gather<Use>('use of authorizations', {
  afterMs: 2_000,
  merge: (earlier, later) => ({ at: later.at, signIns: earlier.signIns + later.signIns }),
  write: async (gathered) => {
    const now = performance.now()
    const uses = [...gathered.values()]
    await noteUse(
      [...gathered.keys()],
      uses.map(({ at }) => now - at),
      uses.map(({ signIns }) => signIns),
    )
  },
})

/** Notes that an authorization was used. @param signsIn whether a sign-in added a refresh token */
export const noteAuthorizationUse = (id: string, signsIn: boolean): void =>
  authorizationUse.add(id, { at: performance.now(), signIns: signsIn ? 1 : 0 })

/** Whether an authorization may have as many live refresh tokens as it can, by what is stored and noted here since. */
export const isCrowded = ({ id, signIns }: { id: string; signIns: number }): boolean =>
  signIns + (authorizationUse.pending(id)?.signIns ?? 0) >= mostLive
