import { inTransaction } from '@/lib/base/db/in-transaction'
import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord } from '@/lib/features/audit/audit-record'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeFactorChange, type FactorChange, spendApproval } from '@/lib/policy/factor-changes'
import { requirePassword } from './require-password'

/** What came of a change: its answer, and what is to be recorded of it. */
type Changed<Answer> = {
  answer: Answer
  event?: AuditRecord
  /** There was nothing to change, so that nobody has to approve it. */
  unchanged?: boolean
}

/**
 * Changes what guards an account once it is certain that its person wants that: who sits at a session gives the password, and for
 * a token they have approved this very change in a browser, which is used up with it.
 * See decision 233.
 * @param change with the `password` that was typed in a session; without, it takes none there
 * @param work the change, called again where PostgreSQL ended it to undo a deadlock; its event is recorded once it is certain, since the person is mailed about it
 * @throws AppError as `requirePassword`, `authorizeFactorChange` and `spendApproval`
 */
export async function changeFactors<Answer>(
  actor: Actor,
  change: FactorChange & { password?: string },
  work: (tx: Db, userId: string) => Promise<Changed<Answer>>,
): Promise<Answer> {
  authorizeFactorChange(actor)
  if (actor.kind === 'session' && change.password !== undefined) {
    await requirePassword(actor, change.password)
  }
  return inTransaction(async (tx) => {
    const { answer, event, unchanged } = await work(tx, actor.userId)
    if (actor.kind !== 'session' && !unchanged) await spendApproval(tx, actor, change)
    if (event) await recordEvent(tx, actor, event)
    return answer
  })
}
