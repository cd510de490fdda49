import type { Config } from '@/lib/base/config/env'
import type { Permission } from './permissions'

/**
 * The actions that can require approval: everything by which an app could give someone rights, move or expose data, or delete it.
 * `lib/edges/graphql/approval-coverage.db.test.ts` fails for a mutation that is neither here nor listed there with a reason.
 */
export type SensitiveAction = Config['REQUIRE_APPROVAL'][number]

/** Each action as the settings name it. A workspace can choose all of them except those of the user's account. */
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

/** The actions that a workspace can choose. */
export const workspaceActions = (Object.keys(sensitiveActions) as SensitiveAction[]).filter(
  (action) => !action.startsWith('account:'),
)

/** Permissions that belong to the action of another one, so that a rule for a workspace also holds in its projects. */
const sameAction: Partial<Record<Permission, SensitiveAction>> = {
  'project:manage-members': 'workspace:manage-members',
  'project:manage-tokens': 'workspace:manage-tokens',
}

const isSensitiveAction = (name: string): name is SensitiveAction => Object.hasOwn(sensitiveActions, name)

/** Returns the sensitive action that a permission is part of, or undefined for a permission that never requires approval. */
export const actionOf = (permission: Permission | SensitiveAction): SensitiveAction | undefined =>
  isSensitiveAction(permission) ? permission : sameAction[permission]

/** Reading values is not a mutation; all fields that return one are this operation. */
export const readValues = 'variableValues'

/**
 * The operations that can require approval, by the name of their mutation, as the approval page and the refusals describe them. No
 * word of it comes from the app.
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
  oauthAppOfferAccept: 'Accept the transfer of an OAuth app',
  oauthAppOfferCreate: 'Transfer an OAuth app to another workspace',
  oauthAppOfferDecline: 'Decline the transfer of an OAuth app',
  oauthAppOfferWithdraw: 'Cancel the transfer of an OAuth app',
  oauthAppPeopleRevoke: 'Revoke the access of an OAuth app for all users',
  oauthAppPersonRevoke: 'Revoke the access of an OAuth app for one user',
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

/** Every operation that can require approval. */
export const sensitiveOperations: readonly string[] = Object.keys(operations)

/** Whether this release can describe an operation, and so can offer its approval. */
export const isSensitiveOperation = (name: string): boolean => Object.hasOwn(operations, name)

/** Returns what an operation does, in the words of the approval page; its name if this release does not know it. */
export const describeOperation = (name: string): string =>
  isSensitiveOperation(name) ? String(operations[name]) : name
