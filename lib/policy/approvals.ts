import { createHmac, randomUUID } from 'node:crypto'
import { type Config, config } from '@/lib/base/config/env'
import { canonical, derivedKey } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/clock'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import type { Actor, OAuthActor, Operation } from './actor'
import type { ApprovalRules } from './app-policy'
import type { Permission } from './permissions'

/**
 * The actions that can require approval, because an app could use them to grant rights, or to move, expose,
 * change, or delete data. `lib/edges/graphql/approval-coverage.db.test.ts` fails for a mutation that apps can
 * perform without approval, unless the test lists the mutation with a reason.
 */
export type SensitiveAction = Config['REQUIRE_APPROVAL'][number]

/**
 * The label of each action. The workspace settings and the GraphQL schema contain the labels of the actions
 * for which a workspace can require approval: all actions except those on the user's account.
 */
export const sensitiveActions: Record<SensitiveAction, { label: string }> = {
  'project:delete': { label: 'Delete a project or an environment' },
  'project:transfer': { label: 'Transfer a project to another workspace' },
  'project:read-values': { label: 'Read the values of variables' },
  'project:write-variables': { label: 'Set or delete variables' },
  'workspace:manage-members': {
    label: 'Invite people to the workspace or a project, change their roles, or remove them',
  },
  'workspace:manage-apps': { label: 'Create, change, transfer, or delete OAuth apps' },
  'workspace:manage-secrets': {
    label: 'Create, rotate, or revoke credentials of an OAuth app or a webhook',
  },
  'workspace:manage-webhooks': { label: 'Create, change, test, or delete webhooks' },
  'workspace:manage-tokens': { label: 'Revoke API tokens of the workspace or a project' },
  'workspace:restore-projects': { label: 'Restore deleted projects' },
  'workspace:update': { label: 'Change the name or URL of the workspace' },
  'workspace:delete': { label: 'Delete the workspace' },
  'account:manage-ssh-keys': { label: 'Add or delete SSH keys of the user' },
}

/** The actions for which a workspace can require approval. */
export const workspaceActions = (Object.keys(sensitiveActions) as SensitiveAction[]).filter(
  (action) => !action.startsWith('account:'),
)

/**
 * The project permissions that belong to a sensitive action with a different name. If that action requires
 * approval, these permissions require approval too.
 */
const sameAction: Partial<Record<Permission, SensitiveAction>> = {
  'project:manage-members': 'workspace:manage-members',
  'project:manage-tokens': 'workspace:manage-tokens',
}

const isSensitiveAction = (name: string): name is SensitiveAction => Object.hasOwn(sensitiveActions, name)

/**
 * Returns the sensitive action that a permission is part of, or undefined for a permission that never
 * requires approval.
 */
const actionOf = (permission: Permission | SensitiveAction): SensitiveAction | undefined =>
  isSensitiveAction(permission) ? permission : sameAction[permission]

/**
 * The operation name of all fields that return a variable's value. The name is defined here because reading
 * values is not a mutation and therefore has no operation name of its own.
 */
export const readValues = 'variableValues'

/**
 * The operations that can require approval (mutations, and reading values), with their descriptions. The
 * approval page, errors, and audit events contain the descriptions, which apps cannot influence.
 */
const operations: Record<string, string> = {
  [readValues]: 'Read the values of all variables in an environment',
  environmentDelete: 'Delete an environment',
  oauthAppCreate: 'Create an OAuth app',
  oauthAppDelete: 'Delete an OAuth app',
  oauthAppDomainCreate: 'Claim a domain for an OAuth app',
  oauthAppDomainDelete: 'Remove the domain of an OAuth app',
  oauthAppDomainVerify: 'Verify the domain of an OAuth app',
  oauthAppLogoDelete: 'Remove the logo of an OAuth app',
  oauthAppLogoUpdate: 'Change the logo of an OAuth app',
  oauthAppTransferAccept: 'Accept the transfer of an OAuth app',
  oauthAppTransferRequest: 'Transfer an OAuth app to another workspace',
  oauthAppTransferDecline: 'Decline the transfer of an OAuth app',
  oauthAppTransferCancel: 'Cancel the transfer of an OAuth app',
  oauthAppUsersRevoke: 'Revoke the access of an OAuth app for all users',
  oauthAppUserRevoke: 'Revoke the access of an OAuth app for one user',
  oauthAppSecretCreate: 'Create a client secret',
  oauthAppSecretDelete: 'Revoke a client secret',
  oauthAppTransferFinish: 'Finish the transfer of an OAuth app',
  oauthAppUpdate: 'Change an OAuth app',
  projectDelete: 'Delete a project',
  projectMemberRemove: 'Remove a member from a project',
  projectMemberUpsert: 'Change the role of a project member',
  projectRestore: 'Restore a deleted project',
  projectScheduleDelete: 'Delete a project',
  projectTokenDelete: 'Revoke a project token',
  projectTransfer: 'Transfer a project to another workspace',
  sshPublicKeyCreate: 'Add an SSH key to your account',
  sshPublicKeyDelete: 'Delete an SSH key from your account',
  variableCollectionUpsert: 'Set variables',
  variableDelete: 'Delete a variable',
  variableUpsert: 'Set a variable',
  variablesUpsert: 'Set variables',
  webhookCreate: 'Create a webhook',
  webhookDelete: 'Delete a webhook',
  webhookDeliveryResend: 'Resend a webhook delivery',
  webhookSecretRotate: 'Rotate the signing secret of a webhook',
  webhookTest: 'Send a test message to a webhook',
  webhookUpdate: 'Change a webhook',
  workspaceDelete: 'Delete a workspace',
  workspaceInvitationCreate: 'Invite someone',
  workspaceInvitationRevoke: 'Revoke an invitation',
  workspaceMemberRemove: 'Remove a member from a workspace',
  workspaceMemberUpdate: 'Change the role of a workspace member',
  workspaceTokenDelete: 'Revoke an API token',
  workspaceUpdate: 'Change the name or URL of a workspace',
}

/** The operations whose effects no one can undo. */
const irreversible = new Set([
  'environmentDelete',
  'oauthAppDelete',
  'oauthAppSecretDelete',
  'projectTokenDelete',
  'sshPublicKeyDelete',
  'variableDelete',
  'webhookDelete',
  'workspaceDelete',
  'workspaceTokenDelete',
])

/** The operations that delete a project, which admins can restore if the instance keeps deleted projects. */
const projectDeletions = new Set(['projectDelete', 'projectScheduleDelete'])

/** Returns whether the effects of an operation are permanent on this instance. */
export const isIrreversible = (name: string): boolean =>
  irreversible.has(name) || (projectDeletions.has(name) && config().restoreDays === 0)

/** The names of all operations that can require approval. */
export const sensitiveOperations: readonly string[] = Object.keys(operations)

/**
 * Returns whether this release can describe an operation. Users cannot view or answer approval requests for
 * any other operation.
 */
export const isSensitiveOperation = (name: string): boolean => Object.hasOwn(operations, name)

/** Returns an operation's description, or the operation's name if this release has no description for it. */
export const describeOperation = (name: string): string =>
  isSensitiveOperation(name) ? String(operations[name]) : name

/**
 * The instance (REQUIRE_APPROVAL) and each workspace determine for which sensitive actions an app needs its
 * user's approval. The approval limits an app's rights in addition to the role, scopes, selection, and app
 * policy. Sessions, API tokens, and app installations do not need this approval. See ADR 0023.
 */

/**
 * The time after a denial in which the app cannot request approval for the same action on the same resource,
 * in minutes.
 */
export const deniedMinutes = 10

type Resource = { type: string; id: string }

/**
 * An operation that needs approval. When the approval request is stored, secrets are removed from the
 * arguments, but the digest still covers the secrets.
 */
export type PendingApproval = {
  /**
   * An HMAC over the IDs of the user, the app, the authorization, the app's owner, and the workspace, and
   * over the operation's name, its arguments, and `resolved`.
   */
  digest: string
  operation: string
  args: Readonly<Record<string, unknown>>
  /** The values that the server looked up for the operation, by name. See `bindApproval`. */
  resolved: Readonly<Record<string, string>>
  action: SensitiveAction
  resource: Resource
  workspaceId: string | null
}

/** The APPROVAL_REQUIRED error. lib/edges/graphql creates the approval request when it sends the error. */
export class ApprovalRequired extends AppError {
  constructor(readonly pending: PendingApproval) {
    const { action, resource, workspaceId } = pending
    super(
      'APPROVAL_REQUIRED',
      `This action requires the user’s approval: ${inWords(pending)}. Open the approval page, then send the same request again.`,
      { resource, permission: action, ...(workspaceId && { workspaceId }) },
    )
  }
}

const inWords = ({ operation, resource }: { operation: string; resource: Resource }): string => {
  const does = describeOperation(operation)
  return `${does} (${resource.type} ${resource.id})`
}

/**
 * Uses an approval. Returns no row if there is no valid approval. A single-use approval covers only the first
 * operation that uses it, but that operation can use it repeatedly. An approval is no longer valid after the
 * session in which the user gave it is revoked.
 */
const consumeApproval = statement<{ id: string }, [digest: string, userId: string, request: string]>(
  'approval-use',
  `UPDATE asks SET used_by = $3
    WHERE digest = $1 AND user_id = $2 AND state = 'APPROVED' AND valid_until > now()
      AND (NOT once OR used_by IS NULL OR used_by = $3)
      AND EXISTS (SELECT FROM sessions s WHERE s.id = approved_in AND s.revoked_at IS NULL) RETURNING id`,
)

type Denial = { operation: string; until: Date }

/**
 * Finds the denial that blocks an app's action on a resource for a user, if any. If there are several, finds
 * the one that expires last. A denial applies regardless of the arguments. Otherwise, an app could repeat a
 * denied operation with a different value.
 */
const findDenial = statement<
  Denial,
  [userId: string, clientId: string, action: string, type: string, id: string]
>(
  'approval-denied',
  `SELECT operation, valid_until AS until FROM asks
    WHERE user_id = $1 AND client_id = $2 AND permission = $3 AND resource_type = $4 AND resource_id = $5
      AND state = 'DENIED' AND valid_until > now()
    ORDER BY valid_until DESC LIMIT 1`,
)

type Answer = { approved: true } | { approved: false; denial: Denial | undefined }

/**
 * The results of the approval checks for each operation, by digest. A query that reads fifty values of an
 * environment is one operation and uses one approval, but two equal mutations need two approvals.
 */
const known = new WeakMap<Operation, { request: string; answers: Map<string, Promise<Answer>> }>()

/**
 * Adds values that the server looked up to the data that the approval of an app's mutation covers. Without
 * the ID of the workspace with a given slug, for example, an approval would remain valid after the slug is
 * reassigned to another workspace. Does nothing for other callers and for reads. Call this function before
 * the check of the caller's rights, because that check includes `requireApproval`.
 * @param resolved the values by name; a value replaces the argument with the same name on the approval page
 */
export function bindApproval(actor: Actor, resolved: Readonly<Record<string, string>>): void {
  if (actor.kind !== 'oauth' || actor.operation?.kind !== 'change') return
  actor.operation.resolved = { ...actor.operation.resolved, ...resolved }
}

/**
 * If the workspace or the instance requires approval for an action, requires that the user approved exactly
 * this operation with these arguments, and uses the approval. Call this function after all other checks, so
 * that only callers with sufficient rights learn that approval is required. Does nothing for callers other
 * than apps that act for a user, and for reads of anything other than variable values.
 * @param resource the resource of the operation, as the caller named it
 * @param rules `workspaceId` is null for the user's account, for which only the instance can require approval
 * @throws ApprovalRequired; AppError FORBIDDEN with reason `denied` if there is no approval and the user
 * denied the app the same action on this resource in the last `deniedMinutes` minutes
 */
export async function requireApproval(
  actor: Actor,
  permission: Permission | SensitiveAction,
  resource: Resource,
  { workspaceId, requiresApprovalFor }: ApprovalRules & { workspaceId: string | null },
): Promise<void> {
  const action = actionOf(permission)
  if (actor.kind !== 'oauth' || !action) return
  const operation = actor.operation ?? unknownOperation
  // Only reads of variable values need approval. Other reads need none, even if they require the permission
  // of a sensitive action.
  if (operation.kind === 'read' && action !== 'project:read-values') return
  if (!requiresApprovalFor.includes(action) && !config().REQUIRE_APPROVAL.includes(action)) return
  const pending = pendingApproval(actor, operation, action, withOneSpelling(resource), workspaceId)
  const answer = await answerOf(actor, operation, pending)
  if (answer.approved) return
  if (answer.denial) throw denied(answer.denial, pending)
  throw new ApprovalRequired(pending)
}

/**
 * Returns a resource with its ID in lower case if the ID is a UUID, so that a denial also applies to the
 * upper-case ID.
 */
const withOneSpelling = ({ type, id }: Resource): Resource => ({
  type,
  id: /^[0-9a-f-]{36}$/i.test(id) ? id.toLowerCase() : id,
})

/**
 * The operation of a caller if lib/edges/graphql did not set one. It has no description, so users cannot
 * approve it.
 */
const unknownOperation: Operation = { kind: 'change', name: 'unknown', args: {} }

function pendingApproval(
  actor: OAuthActor,
  operation: Operation,
  action: SensitiveAction,
  resource: Resource,
  workspaceId: string | null,
): PendingApproval {
  const { name, args, resolved } =
    operation.kind === 'change'
      ? { resolved: {}, ...operation }
      : { name: readValues, args: { [`${resource.type}Id`]: resource.id }, resolved: {} }
  const { userId, clientId, authorizationId, appWorkspaceId = null } = actor
  const bound = [userId, clientId, authorizationId, appWorkspaceId, name, args, resolved, workspaceId]
  const digest = createHmac('sha256', derivedKey('approval')).update(canonical(bound)).digest('base64url')
  return { digest, operation: name, args, resolved, action, resource, workspaceId }
}

function answerOf(actor: OAuthActor, operation: Operation, pending: PendingApproval): Promise<Answer> {
  const here = known.get(operation) ?? { request: randomUUID(), answers: new Map() }
  if (operation !== unknownOperation) known.set(operation, here)
  const answer = here.answers.get(pending.digest) ?? findAnswer(actor, pending, here.request)
  here.answers.set(pending.digest, answer)
  return answer
}

async function findAnswer(
  { userId, clientId }: OAuthActor,
  { digest, action, resource }: PendingApproval,
  request: string,
): Promise<Answer> {
  if ((await consumeApproval(digest, userId, request)).length > 0) return { approved: true }
  const [denial] = await findDenial(userId, clientId, action, resource.type, resource.id)
  return { approved: false, denial }
}

function denied({ operation, until }: Denial, { operation: wanted, action, resource }: PendingApproval) {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - databaseNow()) / 1000))
  const said = inWords({ operation: operation || wanted, resource })
  return new AppError(
    'FORBIDDEN',
    `The user denied this request: ${said}. You can send it again after ${until.toISOString()}.`,
    { resource, permission: action, reason: 'denied', retryAfter },
  )
}
