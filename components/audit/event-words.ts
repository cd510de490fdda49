import type { RecordedAction } from '@/lib/features/audit/recorded-actions'
import { currentAction } from '@/lib/features/audit/renamed-actions'

/** The text that follows the actor's name, by action. */
const words: Record<RecordedAction, string> = {
  'api.deleted': 'deleted the API',
  'api.registered': 'registered the API',
  'api.secret_added': 'created a secret for the API',
  'api.secret_revoked': 'revoked a secret of the API',
  'api.updated': 'changed the API',
  'api_token.created': 'created the token',
  'api_token.revoked': 'revoked the token',
  'app.approval_withdrawn': 'revoked the approval of the app',
  'app.approved': 'approved the app',
  'app.blocked': 'blocked the app',
  'app.installed': 'installed the app',
  'app.managed': 'added the SSO-managed app',
  'app.request_approved': 'approved a request for',
  'app.request_declined': 'declined a request for',
  'app.requested': 'requested the app',
  'app.resumed': 'resumed the installation of the app',
  'app.revoked_for_everyone': 'revoked all access of the app',
  'app.suspended': 'suspended the installation of the app',
  'app.unblocked': 'unblocked the app',
  'app.uninstalled': 'uninstalled the app',
  'app.unmanaged': 'removed the SSO-managed app',
  'approval.approved': 'approved a request from',
  'approval.denied': 'denied a request from',
  'approval.requested': 'requested approval for',
  'audit_log.exported': 'exported the audit log of',
  'audit_stream.created': 'started the audit stream of',
  'audit_stream.deleted': 'removed the audit stream of',
  'audit_stream.paused': 'paused the audit stream of',
  'audit_stream.resumed': 'resumed the audit stream of',
  'audit_stream.secret_rotated': 'rotated the secret of the audit stream of',
  'audit_stream.stopped': 'stopped the audit stream of',
  'audit_stream.updated': 'changed the audit stream of',
  'authorization.granted': 'gave access to',
  'authorization.revoked': 'removed the access of',
  'authorization.revoked_after_token_reuse': 'revoked the access of … because a token was reused',
  'authorization.revoked_by_app': 'was signed out by',
  'authorization.updated': 'changed the access of',
  'environment.created': 'created the environment',
  'environment.deleted': 'deleted the environment',
  'environment.renamed': 'renamed the environment',
  'invitation.accepted': 'accepted the invitation of',
  'invitation.created': 'invited',
  'invitation.revoked': 'revoked the invitation of',
  'job.retried': 'retried the job',
  'job.run': 'ran the job',
  'member.added': 'added',
  'member.left': 'left',
  'member.rejoin_allowed': 'allowed … to join again',
  'member.removed': 'removed',
  'member.role_changed': 'changed the role of',
  'oauth_app.access_revoked': 'revoked all user access of',
  'oauth_app.activity_exported': 'exported the activity of',
  'oauth_app.approved': 'approved the OAuth app',
  'oauth_app.created': 'created the OAuth app',
  'oauth_app.deleted': 'deleted the OAuth app',
  'oauth_app.disabled': 'disabled the OAuth app',
  'oauth_app.domain_failing': 'couldn’t find the domain record of',
  'oauth_app.domain_lost': 'removed the verification of the domain of',
  'oauth_app.domain_set': 'added the domain of',
  'oauth_app.domain_removed': 'removed the verified domain of',
  'oauth_app.domain_verified': 'verified the domain of',
  'oauth_app.enabled': 'enabled the OAuth app',
  'oauth_app.transfer_declined': 'declined the transfer of the OAuth app',
  'oauth_app.transfer_canceled': 'canceled the transfer of the OAuth app',
  'oauth_app.transfer_requested': 'requested the transfer of the OAuth app … to another workspace',
  'oauth_app.secret_added': 'added a secret to',
  'oauth_app.secret_revoked': 'revoked a secret of',
  'oauth_app.sign_in_tried': 'tested the sign-in of',
  'oauth_app.transfer_finished': 'finished the transfer of the OAuth app',
  'oauth_app.transferred': 'transferred the OAuth app … to another workspace',
  'oauth_app.unverified': 'removed the verification of',
  'oauth_app.updated': 'changed the OAuth app',
  'oauth_app.verification_declined': 'declined to verify the OAuth app',
  'oauth_app.verified': 'verified the OAuth app',
  'user.data_exported': 'downloaded the data of',
  'user.deleted': 'deleted the account of',
  'user.email_changed': 'changed the email of',
  'user.email_verified': 'confirmed the email of',
  'user.identity_connected': 'connected an account to',
  'user.identity_joined': 'connected an account to',
  'user.identity_removed': 'removed a connected account of',
  'user.instance_admin_added': 'made … an instance admin',
  'user.instance_admin_removed': 'removed … as an instance admin',
  'user.password_reset': 'reset the password of',
  'user.reset_link_created': 'created a password reset link for',
  'user.two_factor_removed': 'removed the two-factor methods of',
  'user.signed_out': 'signed out',
  'user.suspended': 'suspended',
  'user.unsuspended': 'unsuspended',
  'project.created': 'created the project',
  'project.deleted': 'deleted the project',
  'project.restored': 'restored the project',
  'project.transferred': 'transferred the project',
  'project.updated': 'changed the project',
  'session.others_revoked': 'signed out the browsers of',
  'session.revoked': 'ended the session',
  'setting.changed': 'changed the setting',
  'signing_keys.rotated': 'rotated the signing keys of',
  'ssh_key.added': 'added the SSH key',
  'ssh_key.removed': 'removed the SSH key',
  'tool.called': 'called',
  'tool.refused': 'was denied',
  'two_factor.passkey_added': 'added the passkey',
  'two_factor.passkey_removed': 'removed the passkey',
  'two_factor.passkey_renamed': 'renamed the passkey',
  'two_factor.recovery_code_used': 'used a recovery code of',
  'two_factor.recovery_codes_renewed': 'created new recovery codes for',
  'two_factor.totp_added': 'added an authenticator app for',
  'two_factor.totp_started': 'received the key of a new authenticator app for',
  'two_factor.totp_removed': 'removed the authenticator app of',
  'user.password_changed': 'changed the password of',
  'user.profile_updated': 'changed the profile of',
  'variable.created': 'set the variable',
  'variable.deleted': 'deleted the variable',
  'variable.updated': 'set the variable',
  'webhook.created': 'created the webhook',
  'webhook.deleted': 'deleted the webhook',
  'webhook.secret_rotated': 'rotated the secret of the webhook',
  'webhook.updated': 'changed the webhook',
  'workspace.app_policy_changed': 'changed the app policy of',
  'workspace.cleared': 'cleared the workspace',
  'workspace.created': 'created the workspace',
  'workspace.deleted': 'deleted the workspace',
  'workspace.domain_failing': 'couldn’t find the SSO domain record of',
  'workspace.domain_lost': 'removed the verification of the SSO domain of',
  'workspace.domain_verified': 'verified the SSO domain of',
  'workspace.admin_assigned': 'made … an admin',
  'workspace.identity_provider_removed': 'removed the identity provider of',
  'workspace.identity_provider_set': 'set the identity provider of',
  'workspace.required_approvals_changed': 'changed the required approvals of',
  'workspace.two_factor_optional': 'made two-factor authentication optional in',
  'workspace.two_factor_required': 'required two-factor authentication in',
  'workspace.updated': 'changed the workspace',
}

/** The texts for actions that users perform on themselves. The subject's name does not follow these texts. */
const ofThemselves = new Map<string, string>([
  ['member.added', 'joined'],
  ['member.left', 'left'],
  ['session.others_revoked', 'signed out their other browsers'],
  ['two_factor.recovery_code_used', 'used a recovery code'],
  ['two_factor.recovery_codes_renewed', 'created new recovery codes'],
  ['two_factor.totp_added', 'added an authenticator app'],
  ['two_factor.totp_removed', 'removed their authenticator app'],
  ['two_factor.totp_started', 'received the key of a new authenticator app'],
  ['user.data_exported', 'downloaded their data'],
  ['user.deleted', 'deleted their account'],
  ['user.email_changed', 'changed their email'],
  ['user.email_verified', 'confirmed their email'],
  ['user.identity_connected', 'connected an account'],
  ['user.identity_joined', 'connected an account'],
  ['user.identity_removed', 'removed a connected account'],
  ['user.password_changed', 'changed their password'],
  ['user.password_reset', 'reset their password'],
  ['user.profile_updated', 'changed their profile'],
  ['user.signed_out', 'signed out everywhere'],
])

/**
 * The word before the names of an event's workspace and project. If it is empty, the names follow the text
 * directly.
 */
export type PlaceWord = 'in' | 'to' | 'from' | ''

const placeWords = new Map<string, PlaceWord>([
  ['invitation.created', 'to'],
  ['invitation.revoked', 'to'],
  ['member.added', 'to'],
  ['member.removed', 'from'],
])

/** Returns the word before the place of an action, as in "invited Ada to Acme". */
export const placeWord = (action: string): PlaceWord => placeWords.get(currentAction(action)) ?? 'in'

/**
 * Returns the text for an action, which can have its current or its former name. If there is no text for the
 * action, returns the action's name as words: `ssh_key.used` becomes "ssh key used".
 */
export function actionText(stored: string): string {
  const action = currentAction(stored)
  return Object.hasOwn(words, action)
    ? words[action as RecordedAction]
    : action.replace('.', ' ').replaceAll('_', ' ')
}

type DescribedAction = {
  action: string
  userId: string | null
  resourceId: string
  /** The name of the event's project. Null if there is no project or it no longer exists. */
  project: string | null
  details: unknown
}

/**
 * Returns the text that follows the actor's name in the description of an event.
 * @returns the text, whether the subject's name, the project's name, or neither follows it, and the word
 * before the event's place
 */
export function describeAction({ userId, resourceId, project, details, ...event }: DescribedAction): {
  words: string
  about: 'subject' | 'project' | undefined
  place: PlaceWord
} {
  const action = currentAction(event.action)
  const { invitationId, by, projectId } = (details ?? {}) as Record<string, unknown>
  // Events in which users add themselves are shown as “joined” only if the users accepted an invitation or
  // signed in through SSO. Admins who add themselves to a project are shown as “added”.
  const came = action !== 'member.added' || invitationId !== undefined || by !== undefined
  const own = userId === resourceId && came ? ofThemselves.get(action) : undefined
  if (!own) return { words: actionText(action), about: 'subject', place: placeWord(action) }
  if (!action.startsWith('member.')) return { words: own, about: undefined, place: 'in' }
  if (!projectId) return { words: own, about: undefined, place: '' }
  return project
    ? { words: `${own} the project`, about: 'project', place: 'in' }
    : { words: `${own} a deleted project`, about: undefined, place: 'in' }
}
