import { defaultPageSize, maxPageSize } from '@/lib/base/db/keyset'

/** What an operation costs, and an answer holds, in points (docs/decisions/073). */
export const points = {
  object: 2,
  scalar: 1,
  /** A field that fails: its message, path, code and trace id are about 300 bytes. */
  error: 10,
  /** Each further place of the query that asked for a field that fails. */
  place: 1,
  /** Introspection: the whole schema, and one type of it. */
  schema: 1_000,
  type: 100,
  /** All rows of a list, of which the answer has a page. */
  whole: 1_000,
}

/** How many characters of a text in an answer count one point more. */
export const charactersPerPoint = 100

/**
 * Rows that a list is priced for when the query does not say: one without pages, or a connection whose page size was left
 * out. What is not named here is priced for a full page, or for the default one. Lists that stand in other lists are
 * priced for what is usual, as an honest query would else be refused for rows that are not there; the answer, which has
 * a limit of its own, is counted row by row.
 */
export const listSizes: Readonly<Record<string, number>> = {
  'User.workspaces': 2,
  'Workspace.members': 10,
  'Workspace.requiresApprovalFor': 12,
  'Project.members': 5,
  'Project.environments': 3,
  'Project.tokens': 5,
  'Environment.variables': 10,
  'Workspace.webhooks': 3,
  'Workspace.oauthApps': 5,
  'Workspace.tokens': 10,
  'Workspace.invitations': 5,
  'Workspace.auditLogs': 20,
  'Webhook.deliveries': 10,
  'CurrentToken.scopes': 10,
  'TokenAuthorization.workspaceIds': 5,
  'TokenAuthorization.projectIds': 5,
  'TokenAuthorization.workspaces': 2,
  'TokenAuthorization.projects': 5,
  'VariablesUpsertPayload.variables': 20,
  'VariablesUpsertPayload.deleted': 20,
  'AuthorizedApp.workspaces': 2,
  'AuthorizedApp.projects': 5,
  'Query.externalWorkspaces': 2,
  'ExternalWorkspace.projects': 5,
  'Query.notificationRules': 2,
  'Query.oauthAppUsage': 30,
  'Query.oauthAppsUsage': 30,
  'Query.webhookEventTypes': 30,
  'Query.signIns': 30,
  'Session.methods': 3,
  'SignIn.methods': 3,
  'Webhook.events': 10,
  'SecondFactors.passkeys': 5,
  'AuthenticatorAppVerifyPayload.recoveryCodes': 10,
  'RecoveryCodesRotatePayload.recoveryCodes': 10,
  'OAuthApp.secrets': 5,
  'OAuthApp.webhooks': 2,
  'OAuthApp.allowedScopes': 10,
  'OAuthAppActivity.scopes': 10,
  'OAuthAppPerson.scopes': 10,
  'OAuthAppOffer.redirectUris': 5,
  'OAuthApp.usage': 30,
  'OAuthApp.failures': 20,
  'OAuthApp.redirectUris': 5,
  'OAuthApp.postLogoutRedirectUris': 2,
  'AuthorizedApp.scopes': 10,
  'AuthorizedApp.workspaceIds': 10,
  'AuthorizedApp.projectIds': 10,
  'WorkspaceApp.scopes': 5,
  'WorkspaceApp.installScopes': 5,
  'WorkspaceApp.approvedProjects': 5,
  'WorkspaceAppPerson.scopes': 10,
  'WorkspaceAppPerson.projectIds': 5,
  'WorkspaceAppPerson.projects': 5,
  'WorkspaceManagedApp.scopes': 5,
  'ManagedApp.scopes': 5,
  'WorkspaceApp.approvedScopes': 5,
  'WorkspaceApp.approvedProjectIds': 10,
  'WorkspaceAppRequest.scopes': 5,
  'WorkspaceInstallation.scopes': 5,
  'WorkspaceInstallation.projectIds': 10,
  'WorkspaceInstallation.projects': 5,
  'Installation.scopes': 5,
  'Installation.projectIds': 10,
  'OAuthAppAdvancedSettings.installScopes': 5,
}

/** The rows that a list is priced for when the query does not say. @param paged whether it is a connection */
export const listSize = (coordinate: string, paged: boolean): number =>
  listSizes[coordinate] ?? (paged ? defaultPageSize : maxPageSize)

/** Connections that are read whole to cut a page from, which costs `points.whole` beside the page. */
export const wholeLists: ReadonlySet<string> = new Set(['Query.workspaceAppPolicyPreview'])
