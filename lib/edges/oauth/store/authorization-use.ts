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
const noteUse = statement<never, [ids: string[], usedAt: Date[], signIns: number[]]>(
  'note-authorization-use',
  `UPDATE authorizations z
      SET last_used_at = GREATEST(z.last_used_at, t.used_at),
          sign_ins = LEAST(z.sign_ins + t.sign_ins, ${mostLive})
     FROM (SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int[]) AS t(id, used_at, sign_ins) ORDER BY id) t
    WHERE z.id = t.id`,
)

type Use = { at: Date; signIns: number }

/** When each authorization was last used, and how often for signing in. */
export const authorizationUse = gather<Use>('use of authorizations', {
  afterMs: 2_000,
  merge: (earlier, later) => ({ at: later.at, signIns: earlier.signIns + later.signIns }),
  write: async (gathered) => {
    const uses = [...gathered.values()]
    await noteUse(
      [...gathered.keys()],
      uses.map(({ at }) => at),
      uses.map(({ signIns }) => signIns),
    )
  },
})

/** Notes that an authorization was used. @param signsIn whether a sign-in added a refresh token */
export const noteAuthorizationUse = (id: string, signsIn: boolean): void =>
  authorizationUse.add(id, { at: new Date(), signIns: signsIn ? 1 : 0 })

/** Whether an authorization may have as many live refresh tokens as it can, by what is stored and noted here since. */
export const isCrowded = ({ id, signIns }: { id: string; signIns: number }): boolean =>
  signIns + (authorizationUse.pending(id)?.signIns ?? 0) >= mostLive
