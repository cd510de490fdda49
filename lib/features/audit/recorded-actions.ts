import { unknownName } from '@/lib/base/errors/input'

/**
 * Every action that an audit log can contain, for filters by name. Actions that are no longer recorded
 * remain, because older logs contain them. See ADR 0012.
 */
const recordedActions = [
  'api_token.created',
  'api_token.revoked',
  'app.approval_withdrawn',
  'app.approved',
  'app.blocked',
  'app.installed',
  'app.managed',
  'app.request_declined',
  'app.requested',
  'app.resumed',
  'app.revoked_for_everyone',
  'app.suspended',
  'app.unblocked',
  'app.uninstalled',
  'app.unmanaged',
  'approval.approved',
  'approval.denied',
  'approval.requested',
  'audit_log.exported',
  'audit_stream.created',
  'audit_stream.deleted',
  'audit_stream.paused',
  'audit_stream.resumed',
  'audit_stream.secret_rotated',
  'audit_stream.stopped',
  'audit_stream.updated',
  'authorization.granted',
  'authorization.revoked',
  'authorization.revoked_after_token_reuse',
  'authorization.revoked_by_app',
  'authorization.updated',
  'environment.created',
  'environment.deleted',
  'environment.renamed',
  'invitation.accepted',
  'invitation.created',
  'invitation.revoked',
  'job.retried',
  'job.run',
  'member.added',
  'member.left',
  'member.rejoin_allowed',
  'member.removed',
  'member.role_changed',
  'oauth_app.access_revoked',
  'oauth_app.activity_exported',
  'oauth_app.approved',
  'oauth_app.created',
  'oauth_app.deleted',
  'oauth_app.disabled',
  'oauth_app.domain_failing',
  'oauth_app.domain_lost',
  'oauth_app.domain_set',
  'oauth_app.domain_removed',
  'oauth_app.domain_verified',
  'oauth_app.enabled',
  'oauth_app.secret_added',
  'oauth_app.secret_revoked',
  'oauth_app.sign_in_tried',
  'oauth_app.transfer_canceled',
  'oauth_app.transfer_declined',
  'oauth_app.transfer_finished',
  'oauth_app.transfer_requested',
  'oauth_app.transferred',
  'oauth_app.unverified',
  'oauth_app.updated',
  'oauth_app.verification_declined',
  'oauth_app.verified',
  'user.data_exported',
  'user.deleted',
  'user.email_changed',
  'user.email_verified',
  'user.identity_connected',
  'user.identity_joined',
  'user.identity_removed',
  'user.instance_admin_added',
  'user.instance_admin_removed',
  'user.password_reset',
  'user.reset_link_created',
  'user.signed_out',
  'user.suspended',
  'user.two_factor_removed',
  'user.unsuspended',
  'project.created',
  'project.deleted',
  'project.restored',
  'project.transferred',
  'project.updated',
  'session.others_revoked',
  'session.revoked',
  'setting.changed',
  'signing_keys.rotated',
  'ssh_key.added',
  'ssh_key.removed',
  'tool.called',
  'tool.refused',
  'two_factor.passkey_added',
  'two_factor.passkey_removed',
  'two_factor.passkey_renamed',
  'two_factor.recovery_code_used',
  'two_factor.recovery_codes_renewed',
  'two_factor.totp_added',
  'two_factor.totp_started',
  'two_factor.totp_removed',
  'user.password_changed',
  'user.profile_updated',
  'variable.created',
  'variable.deleted',
  'variable.updated',
  'webhook.created',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.updated',
  'workspace.app_policy_changed',
  'workspace.cleared',
  'workspace.created',
  'workspace.deleted',
  'workspace.domain_failing',
  'workspace.domain_lost',
  'workspace.domain_verified',
  'workspace.admin_assigned',
  'workspace.identity_provider_removed',
  'workspace.identity_provider_set',
  'workspace.required_approvals_changed',
  'workspace.two_factor_optional',
  'workspace.two_factor_required',
  'workspace.updated',
] as const

export type RecordedAction = (typeof recordedActions)[number]

/** Resource types that are not the first part of an action. */
const otherResources = ['passkey', 'user']

const kinds = [...new Set(recordedActions.map((action) => action.split('.', 1)[0] as string))]

const resourceTypes = [...new Set([...kinds, ...otherResources])].sort()

/**
 * Returns the problem with the name of an action in a filter.
 * @param name an action such as `project.created`, or a kind such as `project`
 * @returns a sentence with the known names; undefined if there is no problem
 */
export const unknownAction = (name: string): string | undefined =>
  kinds.includes(name) ? undefined : unknownName('action', name, recordedActions)

/** Returns the problem with the name of a resource type. */
export const unknownResourceType = (name: string): string | undefined =>
  resourceTypes.includes(name)
    ? undefined
    : `There is no resource type “${name}”. Valid values: ${resourceTypes.join(', ')}.`
