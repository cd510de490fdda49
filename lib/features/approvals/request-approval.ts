import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { type AppError, type ErrorDetails, isAppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, OAuthActor } from '@/lib/policy/actor'
import { type ApprovalRequired, describeOperation, type PendingApproval } from '@/lib/policy/approvals'
import { keepArguments } from './describe-arguments'
import { nameResource } from './describe-resource'
import { openFactorRequest } from './factor-approvals'
import { approvalUrl, isSignedIn, stateOf } from './read-approval'

/** The number of minutes that an approval request stays open. */
const openMinutes = 60

const limit: AttemptLimit = {
  name: 'approval-requests',
  points: 60,
  seconds: 3600,
  message: 'This app has sent too many approval requests. Try again in an hour.',
}

/**
 * Opens approval requests for a rejected operation, notifies the user, and adds the URL of the approval page
 * to each error. If a request cannot be opened, its error gets no URL. The same operation with the same
 * arguments does not open a second request while the first request is open or its decision is valid.
 * @param refusals the errors with the code `APPROVAL_REQUIRED`
 */
export async function requestApprovals(actor: Actor, refusals: readonly AppError[]): Promise<void> {
  for (const refusal of refusals) {
    Object.assign(refusal.details, await open(actor, refusal).catch(withoutPage))
  }
}

/**
 * Opens an approval request and returns the details to add to the error. The details are empty if there is no
 * user who can decide.
 */
async function open(actor: Actor, refusal: AppError): Promise<ErrorDetails> {
  if (actor.kind === 'oauth' && 'pending' in refusal) {
    return openRequest(actor, (refusal as ApprovalRequired).pending)
  }
  if (actor.kind === 'account-token') return openFactorRequest(actor, refusal.details)
  return {}
}

/**
 * Returns the details to add to an error if its approval request could not be opened: `retryAfter` if there
 * were too many requests. Otherwise, logs the problem and returns no details. Never throws, because an
 * exception would discard the operation's other results, such as secrets that are shown only once.
 */
function withoutPage(error: unknown): ErrorDetails {
  if (isAppError(error) && error.code === 'RATE_LIMITED') return { retryAfter: error.details.retryAfter ?? 0 }
  log.error('an approval request could not be opened', { error })
  return {}
}

/**
 * Opens an app's approval request, and notifies the user. If an open request or a valid decision for the same
 * operation with the same arguments exists, only returns the URL of its page.
 * @returns the URL of the page where the user decides
 * @throws AppError RATE_LIMITED
 */
async function openRequest(actor: OAuthActor, pending: PendingApproval): Promise<{ approvalUrl: string }> {
  const { digest, operation, action, resource, workspaceId } = pending
  const { userId, clientId, authorizationId } = actor
  const known = await prisma().approvalRequest.findUnique({ where: { digest } })
  if (known) {
    const state = stateOf(known)
    const approved = state === 'approved' || state === 'approved-once'
    if (state === 'open' || state === 'denied' || (approved && (await isSignedIn(known.approvedIn)))) {
      return { approvalUrl: approvalUrl(known.id) }
    }
  }
  await countAttempt(limit, authorizationId ?? `${clientId} ${userId}`)
  const id = await prisma().$transaction(async (tx) => {
    // Delete the earlier request, so that the new request gets a new ID. A page that is still open for the
    // earlier request then cannot decide the new request.
    if (known) await tx.approvalRequest.deleteMany({ where: { id: known.id } })
    const [made] = await tx.approvalRequest.createManyAndReturn({
      data: [
        {
          digest,
          userId,
          clientId,
          authorizationId,
          workspaceId,
          permission: action,
          resourceType: resource.type,
          resourceId: resource.id,
          operation,
          arguments: keepArguments(pending),
          tool: actor.tool?.name ?? null,
          validUntil: new Date(databaseNow() + openMinutes * 60_000),
        },
      ],
      skipDuplicates: true,
      select: { id: true },
    })
    // If a concurrent API request from the app has already opened the approval request, return that request's
    // ID.
    if (!made) return (await tx.approvalRequest.findUniqueOrThrow({ where: { digest } })).id
    const [app, name] = await Promise.all([
      tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } }),
      nameResource(resource, workspaceId),
    ])
    await recordEvent(tx, actor, {
      action: 'approval.requested',
      resource: { type: 'approval', id: made.id },
      ...(workspaceId && { workspaceId }),
      details: {
        permission: action,
        operation,
        resource,
        app: app?.name ?? clientId,
        name: name ?? resource.id,
        wants: `${describeOperation(operation)}:`,
      },
    })
    return made.id
  })
  return { approvalUrl: approvalUrl(id) }
}
