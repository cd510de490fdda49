import { z } from 'zod'
import { databaseNow } from '@/lib/base/db/clock'
import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import { requireFreshSignIn } from '@/lib/features/identity/two-factor/require-password'
import type { ApprovalRequest } from '@/lib/generated/prisma/client'
import type { SessionActor } from '@/lib/policy/actor'
import { deniedMinutes, isSensitiveOperation, readValues } from '@/lib/policy/approvals'
import { unknownRequest } from './read-approval'

const decisionInput = z.object({
  decision: z.enum(['once', 'hour', 'deny'], { error: 'Approve or deny the request.' }),
})

/** The number of minutes that each decision is valid. */
const counts = { once: 60, hour: 60, deny: deniedMinutes }

/**
 * Records the user's decision on an app's approval request. The decision takes effect at the app's next API
 * request. To approve, the user must have signed in within the last 15 minutes. Otherwise, anyone with access
 * to an unattended session could approve the request. Declining has no such requirement. Declining an
 * approved request revokes the approval if it can still be used.
 * @param input `decision`: `once`, `hour`, or `deny`. Only requests to read values can be approved for an
 * hour. Each change requires its own approval.
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such request, it belongs to another user, or this release
 * does not support its operation), FORBIDDEN (the sign-in is too old), CONFLICT (the request was already
 * decided or has expired, or the user approves it although the app no longer has access)
 */
export async function decideApproval(actor: SessionActor, id: string, input: unknown): Promise<void> {
  const { decision } = parseInput(decisionInput, input)
  const where = { id: isId(id) ? id : { in: [] }, userId: actor.userId }
  const request = await prisma().approvalRequest.findFirst({
    where,
    include: { client: { select: { name: true } } },
  })
  if (!request || !isSensitiveOperation(request.operation)) throw unknownRequest()
  if (decision === 'hour' && request.operation !== readValues) {
    throw badInput('decision', 'You can approve this action for one request only, not for an hour.')
  }
  const denies = decision === 'deny'
  if (!denies) await requireFreshSignIn(actor)
  await prisma().$transaction(async (tx) => {
    if (!denies && !(await hasAccess(tx, request))) {
      throw new AppError(
        'CONFLICT',
        'The app no longer has access to your account, so you can’t approve this request.',
      )
    }
    const { count } = await tx.approvalRequest.updateMany({
      where: {
        ...where,
        state: denies ? { in: ['OPEN', 'APPROVED'] } : 'OPEN',
        OR: [{ usedBy: null }, { once: false }],
        validUntil: { gt: new Date(databaseNow()) },
      },
      data: {
        state: denies ? 'DENIED' : 'APPROVED',
        once: decision === 'once',
        approvedIn: denies ? null : actor.sessionId,
        validUntil: new Date(databaseNow() + counts[decision] * 60_000),
      },
    })
    if (count === 0) throw new AppError('CONFLICT', 'This request was already answered or has expired.')
    await recordEvent(tx, actor, {
      action: denies ? 'approval.denied' : 'approval.approved',
      resource: { type: 'approval', id: request.id },
      ...(request.workspaceId && { workspaceId: request.workspaceId }),
      details: {
        name: request.client.name,
        clientId: request.clientId,
        permission: request.permission,
        operation: request.operation,
        resource: { type: request.resourceType, id: request.resourceId },
        ...(denies ? {} : { for: decision }),
      },
    })
  })
}

/**
 * Returns whether the user's authorization of the app still exists. Always true for an SSO-managed app, which
 * needs no authorization.
 */
const hasAccess = async (
  tx: { authorization: { count: ReturnType<typeof prisma>['authorization']['count'] } },
  { authorizationId }: ApprovalRequest,
): Promise<boolean> =>
  authorizationId === null || (await tx.authorization.count({ where: { id: authorizationId } })) === 1
