import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { AppError } from '@/lib/base/errors/app-error'
import type { ApprovalRequest } from '@/lib/generated/prisma/client'

/** Where the user decides. */
export const approvalUrl = (id: string): string => `${config().BASE_URL}/approvals/${id}`

/**
 * The state of a request: open, approved (once or for an hour), denied, used, or over, which is a request that expired or an approval
 * whose time or session has ended.
 */
export type ApprovalState = 'open' | 'approved-once' | 'approved' | 'denied' | 'used' | 'over'

type Decided = { state: string; validUntil: Date }

/** Returns the state of an app's request. */
export const stateOf = (
  request: Pick<ApprovalRequest, 'state' | 'validUntil' | 'once' | 'usedBy'>,
): ApprovalState =>
  settled(request, request.once && request.usedBy !== null) ?? (request.once ? 'approved-once' : 'approved')

/** The same for a token's request to change two-factor authentication, which is always approved once. */
export type FactorApprovalState = Exclude<ApprovalState, 'approved'>

/** Returns the state of a token's request. */
export const stateOfFactorRequest = (request: Decided & { usedAt: Date | null }): FactorApprovalState =>
  settled(request, request.usedAt !== null) ?? 'approved-once'

/** @returns undefined for an approval that counts */
function settled({ state, validUntil }: Decided, used: boolean) {
  if (used) return 'used'
  if (validUntil.getTime() <= databaseNow()) return 'over'
  if (state === 'OPEN') return 'open'
  return state === 'DENIED' ? 'denied' : undefined
}

/** Whether the session that gave an approval is still signed in; the approval ends with it. */
export const isSignedIn = async (sessionId: string | null): Promise<boolean> =>
  sessionId !== null && (await prisma().session.count({ where: { id: sessionId, revokedAt: null } })) === 1

/** The answer for a request that does not exist and for one of another user alike. */
export const unknownRequest = () =>
  new AppError('NOT_FOUND', 'There is no such approval request, or it is not for you.')

/** How long the page shows the outcome of a request, in milliseconds. */
const shownMs = 86_400_000

/** Deletes requests a day after they end. @returns how many */
export const forgetApprovalRequests = async (): Promise<number> => {
  const where = { validUntil: { lt: new Date(Date.now() - shownMs) } }
  const asks = await prisma().approvalRequest.deleteMany({ where })
  const factorAsks = await prisma().twoFactorApprovalRequest.deleteMany({ where })
  return asks.count + factorAsks.count
}
