import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { ApprovalRequest } from '@/lib/generated/prisma/client'
import type { SessionActor } from '@/lib/policy/actor'
import { describeOperation, isIrreversible, isSensitiveOperation, readValues } from '@/lib/policy/approvals'
import { describeArguments, type ShownArgument } from './describe-arguments'
import { describeResource, type ResourceFacts } from './describe-resource'

/** Returns the URL of the page where the user decides on an approval request. */
export const approvalUrl = (id: string): string => `${config().BASE_URL}/approvals/${id}`

/**
 * The state of a request: open, approved (once or for an hour), denied, used, or over. A request is over if
 * the request or its decision has expired, or if the session in which the approval was given has ended.
 */
export type ApprovalState = 'open' | 'approved-once' | 'approved' | 'denied' | 'used' | 'over'

type Decided = { state: string; validUntil: Date }

/**
 * Returns the state of an app's approval request. Does not check whether the session in which it was approved
 * has ended.
 */
export const stateOf = (
  request: Pick<ApprovalRequest, 'state' | 'validUntil' | 'once' | 'usedBy'>,
): ApprovalState =>
  settled(request, request.once && request.usedBy !== null) ?? (request.once ? 'approved-once' : 'approved')

/**
 * The state of a token's request to change two-factor authentication. An approval of such a request covers
 * only one change, so the state `approved` does not occur.
 */
export type FactorApprovalState = Exclude<ApprovalState, 'approved'>

/**
 * Returns the state of a token's approval request. Does not check whether the session in which it was
 * approved has ended.
 */
export const stateOfFactorRequest = (request: Decided & { usedAt: Date | null }): FactorApprovalState =>
  settled(request, request.usedAt !== null) ?? 'approved-once'

/** Returns the state of a request, or undefined for a valid approval. */
function settled({ state, validUntil }: Decided, used: boolean) {
  if (used) return 'used'
  if (validUntil.getTime() <= databaseNow()) return 'over'
  if (state === 'OPEN') return 'open'
  return state === 'DENIED' ? 'denied' : undefined
}

/**
 * Returns whether the session in which an approval was given still exists and was not revoked. An approval
 * ends with its session.
 */
export const isSignedIn = async (sessionId: string | null): Promise<boolean> =>
  sessionId !== null && (await prisma().session.count({ where: { id: sessionId, revokedAt: null } })) === 1

/** Returns the error for a request that does not exist or belongs to another user. */
export const unknownRequest = () =>
  new AppError('NOT_FOUND', 'The approval request was not found, or it belongs to another user.')

/**
 * The time for which the page still shows a request after the request or its decision has expired, in
 * milliseconds.
 */
const shownMs = 86_400_000

/**
 * Deletes approval requests a day after they or their decisions expire.
 * @returns how many requests were deleted
 */
export const forgetApprovalRequests = async (): Promise<number> => {
  const where = { validUntil: { lt: new Date(Date.now() - shownMs) } }
  const asks = await prisma().approvalRequest.deleteMany({ where })
  const factorAsks = await prisma().twoFactorApprovalRequest.deleteMany({ where })
  return asks.count + factorAsks.count
}

/** An app's request for approval, as shown on its page. */
export type ApprovalView = {
  id: string
  app: {
    id: string
    name: string
    logoUrl: string | null
    logoDarkUrl: string | null
    verified: boolean
    publisher: string | null
    createdAt: Date
  }
  /** The description of the app's action, such as "Delete a project". */
  does: string
  /** The API operation, such as "projectDelete". */
  operation: string
  /** Whether the effects of the operation are permanent. */
  irreversible: boolean
  /** Null if the request has no workspace, or if the resource no longer exists in that workspace. */
  resource: ResourceFacts | null
  resourceId: string
  arguments: ShownArgument[]
  workspace: { id: string; name: string } | null
  tool: string | null
  requestedAt: Date
  state: ApprovalState
  /** Whether the request can be approved for an hour. */
  hourly: boolean
  /** The time at which the open request, or the decision, expires. */
  validUntil: Date
}

/**
 * Returns an app's request for approval.
 * @throws AppError NOT_FOUND (no such request, it belongs to another user, or this release does not support
 * its operation)
 */
export async function readApproval(actor: SessionActor, id: string): Promise<ApprovalView> {
  const request = isId(id)
    ? await prisma().approvalRequest.findFirst({
        where: { id, userId: actor.userId },
        include: { client: { include: { workspace: { select: { name: true } } } }, workspace: true },
      })
    : null
  // Treat a request for an unknown operation as missing. The previous release might have opened the request
  // for an operation that this release cannot describe or approve.
  if (!request || !isSensitiveOperation(request.operation)) throw unknownRequest()
  const { client, operation, resourceType: type, resourceId, workspaceId, workspace } = request
  const [resource, args] = await Promise.all([
    describeResource({ type, id: resourceId }, workspaceId),
    describeArguments(request.arguments, { userId: actor.userId, workspaceId }),
  ])
  const state = stateOf(request)
  const approved = state === 'approved' || state === 'approved-once'
  return {
    id: request.id,
    app: {
      id: client.id,
      name: client.name,
      logoUrl: client.logoUrl,
      logoDarkUrl: client.logoDarkUrl,
      verified: client.verifiedAt !== null,
      publisher: client.workspace?.name ?? null,
      createdAt: client.createdAt,
    },
    does: describeOperation(operation),
    operation,
    irreversible: isIrreversible(operation),
    resource: resource ?? null,
    resourceId,
    arguments: args,
    workspace: workspace && { id: workspace.id, name: workspace.name },
    tool: request.tool,
    requestedAt: request.createdAt,
    state: approved && !(await isSignedIn(request.approvedIn)) ? 'over' : state,
    hourly: operation === readValues,
    validUntil: request.validUntil,
  }
}
