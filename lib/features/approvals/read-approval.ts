import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { describeOperation, isSensitiveOperation, readValues } from '@/lib/policy/approvals'
import { isId } from '@/lib/policy/require'
import { type ApprovalState, isSignedIn, stateOf, unknownRequest } from './approval-request'
import { describeArguments, type ShownArgument } from './describe-arguments'
import { describeResource, type ResourceFacts } from './describe-resource'

/** An app's request for approval, as the page shows it. */
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
  /** What the app wants to do, in our words: "Delete a project". */
  does: string
  /** The operation of the API: "projectDelete". */
  operation: string
  /** Null if the resource no longer exists in this workspace. */
  resource: ResourceFacts | null
  resourceId: string
  arguments: ShownArgument[]
  workspace: { id: string; name: string } | null
  tool: string | null
  requestedAt: Date
  state: ApprovalState
  /** Whether it can be approved for an hour. */
  hourly: boolean
  /** Until when it can be decided, or the decision counts. */
  validUntil: Date
}

/**
 * Returns an app's request for approval.
 * @throws AppError NOT_FOUND: there is none, or it is another user's
 */
export async function readApproval(actor: SessionActor, id: string): Promise<ApprovalView> {
  const request = isId(id)
    ? await prisma().approvalRequest.findFirst({
        where: { id, userId: actor.userId },
        include: { client: { include: { workspace: { select: { name: true } } } }, workspace: true },
      })
    : null
  // A request of the release before binds nothing, and has no words here.
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
