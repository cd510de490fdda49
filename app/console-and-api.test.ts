import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** The operations for two-factor methods, each of which requires the user's approval (ADR 0015). */
const factors = {
  beginTotp: 'authenticatorAppCreate',
  confirmTotp: 'authenticatorAppVerify',
  removePasskey: 'passkeyDelete',
  removeTotp: 'authenticatorAppDelete',
  renamePasskey: 'passkeyRename',
}

/**
 * The API operation for each form in the console. A new form fails this test until it has an operation or is
 * listed as a form for users only. See ADR 0015.
 */
const siblings: Record<string, Record<string, string>> = {
  'account/apps': { revokeAuthorization: 'authorizedAppRevoke', updateSelection: 'authorizedAppUpdate' },
  'account/notifications': {
    markAllRead: 'notificationsMarkAllRead',
    markRead: 'notificationMarkRead',
    setRules: 'notificationRuleUpdate',
  },
  'account/profile': { picture: 'userAvatarUpdate', updateProfile: 'userUpdate' },
  'account/security': { ...factors, renewRecoveryCodes: 'recoveryCodesRotate' },
  'account/sessions': { revokeOtherSessions: 'sessionsDelete', revokeSession: 'sessionDelete' },
  'account/ssh-keys': { addSshKey: 'sshPublicKeyCreate', removeSshKey: 'sshPublicKeyDelete' },
  'account/tokens': { createToken: 'apiTokenCreateWithDetails', revokeToken: 'apiTokenDelete' },
  'invitations/[token]': { accept: 'workspaceInvitationAccept' },
  'two-factor': factors,
  'workspaces/[slug]/members': {
    changeRoles: 'workspaceMemberUpdate',
    invite: 'workspaceInvitationCreate',
    removeMembers: 'workspaceMemberRemove',
    revokeInvitation: 'workspaceInvitationRevoke',
  },
  'workspaces/[slug]/projects': { restoreProject: 'projectRestore' },
  'workspaces/[slug]/projects/[id]/environments': {
    createEnvironment: 'environmentCreate',
    deleteEnvironment: 'environmentDelete',
    deleteVariable: 'variableDelete',
    renameEnvironment: 'environmentRename',
    revealVariable: 'variables',
    setVariable: 'variableUpsert',
  },
  'workspaces/[slug]/projects/[id]/members': {
    // If the user cannot see the project, the operation is workspaceInvitationCreate.
    addProjectMember: 'projectMemberUpsert',
    removeProjectMember: 'projectMemberRemove',
    revokeProjectInvitation: 'workspaceInvitationRevoke',
    setProjectRole: 'projectMemberUpsert',
  },
  'workspaces/[slug]/projects/[id]/settings': {
    deleteProject: 'projectDelete',
    transferProject: 'projectTransfer',
    updateProject: 'projectUpdate',
  },
  'workspaces/[slug]/projects/[id]/tokens': {
    createProjectToken: 'projectTokenCreate',
    revokeProjectToken: 'projectTokenDelete',
  },
  'workspaces/[slug]/projects/new': { createProject: 'projectCreate' },
  'workspaces/[slug]/settings': {
    deleteWorkspace: 'workspaceDelete',
    leaveWorkspace: 'workspaceLeave',
    requireTwoFactor: 'workspaceTwoFactorUpdate',
    updateWorkspace: 'workspaceUpdate',
  },
  'workspaces/[slug]/settings/apps': {
    approveApp: 'workspaceAppApprove',
    blockApp: 'workspaceAppBlock',
    declineRequests: 'workspaceAppRequestDecline',
    installApp: 'workspaceAppInstall',
    resumeApp: 'workspaceAppResume',
    revokeForAllUsers: 'workspaceAppRevoke',
    setRequiredApprovals: 'workspaceRequiredApprovalsUpdate',
    setPolicy: 'workspaceAppPolicyUpdate',
    suspendApp: 'workspaceAppSuspend',
    uninstallApp: 'workspaceAppUninstall',
    withdrawDecision: 'workspaceAppDecisionWithdraw',
  },
  'workspaces/[slug]/settings/sso': {
    allowApp: 'workspaceManagedAppUpsert',
    forbidApp: 'workspaceManagedAppDelete',
    removeProvider: 'workspaceIdentityProviderDelete',
    setProvider: 'workspaceIdentityProviderUpsert',
    verifyDomain: 'workspaceIdentityProviderVerify',
  },
  'workspaces/[slug]/settings/developer': {
    acceptTransfer: 'oauthAppTransferAccept',
    addSecret: 'oauthAppSecretCreate',
    claimDomain: 'oauthAppDomainCreate',
    createApp: 'oauthAppCreate',
    declineTransfer: 'oauthAppTransferDecline',
    deleteApp: 'oauthAppDelete',
    finishTransfer: 'oauthAppTransferFinish',
    requestTransfer: 'oauthAppTransferRequest',
    removeDomain: 'oauthAppDomainDelete',
    revokeAllUsers: 'oauthAppUsersRevoke',
    revokeUser: 'oauthAppUserRevoke',
    revokeSecret: 'oauthAppSecretDelete',
    setInstallScopes: 'oauthAppUpdate',
    setStage: 'oauthAppUpdate',
    updateApp: 'oauthAppUpdate',
    verifyDomain: 'oauthAppDomainVerify',
    cancelTransfer: 'oauthAppTransferCancel',
  },
  'workspaces/[slug]/settings/developer/[clientId]': { logo: 'oauthAppLogoUpdate' },
  'workspaces/[slug]/settings/tokens': {
    createWorkspaceToken: 'apiTokenCreateWithDetails',
    revokeWorkspaceToken: 'workspaceTokenDelete',
  },
  'workspaces/[slug]/settings/webhooks': {
    createWebhook: 'webhookCreate',
    deleteWebhook: 'webhookDelete',
    redeliver: 'webhookDeliveryResend',
    rotateSecret: 'webhookSecretRotate',
    sendTest: 'webhookTest',
    switchWebhook: 'webhookUpdate',
    updateWebhook: 'webhookUpdate',
  },
  'workspaces/new': { createWorkspace: 'workspaceCreate' },
}

/**
 * The forms that have no API operation, by folder or form, each with the reason. ADR 0015 explains the main
 * exceptions.
 */
const aUsers: [of: RegExp, why: string][] = [
  [
    /^(\(auth\)|interaction)\/|^device |^ logout$/,
    'sign-in, sign-out, and the decision about an app or a device',
  ],
  [/^account\/security (changeEmail|changePassword|removeIdentity|sendVerification)$/, 'sign-in methods'],
  [/ (passkeyOptions|registerPasskey)$/, 'a passkey, which a browser creates only for our origin'],
  [/ cancelTotp$/, 'an unfinished setup, which expires by itself'],
  [/^account\/data /, 'account deletion'],
  [/^approvals\//, 'the approval that an app waits for'],
  [/^audit-log /, 'the destination of an audit log'],
  [/^admin/, 'actions of instance admins'],
  [/settings\/sso allowRemoved$/, 'an action that an invitation replaces, which the API can create'],
  [
    /settings\/developer(\/\[clientId\] try| finishTestSignIn)$/,
    'a test sign-in, in which the user signs in',
  ],
  [/^ (chooseTheme|language)$/, 'the theme and language of one browser'],
]

const folderOf = (file: string) => (path.dirname(file) === '.' ? '' : path.dirname(file))

/**
 * The server actions, and the routes to which other forms are sent. Mounted routes belong to the API and the
 * protocols.
 */
const forms = fs
  .readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => {
    const source = fs.readFileSync(path.join('app', file), 'utf8')
    const folder = folderOf(file)
    if (path.basename(file) === 'route.ts' && /\b(routeFor(<\w+>)?\(\s*'POST'|formRoute\()/.test(source))
      return [[folderOf(folder), path.basename(folder)] as const]
    if (!source.startsWith("'use server'")) return []
    return [...source.matchAll(/^export (?:const|async function) (\w+)Action\b/gm)].map(
      ([, name]) => [folder, name as string] as const,
    )
  })

const operations = new Set(
  fs
    .readFileSync('schema.graphql', 'utf8')
    .split(/^type (?=Query|Mutation)/m)
    .slice(1)
    .flatMap((type) =>
      [
        ...type
          .split(/^}/m, 1)
          .join('')
          .matchAll(/^ {2}(\w+)[(:]/gm),
      ].map(([, name]) => name),
    ),
)

it('every POST route is declared in a way that this test recognizes', () => {
  const routes = fs
    .readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'route.ts')
    .map((file) => fs.readFileSync(path.join('app', file), 'utf8'))
  const odd =
    /export [^=]*\bPOST\b[^=]*= (?!routeFor(<\w+>)?\(\s*'(GET|POST|GET or POST)'|formRoute\(|mount\()|export (async )?function POST/
  expect(routes.filter((source) => odd.test(source))).toEqual([])
})

it('every form in the console has an API operation or a listed reason for having none', () => {
  expect(forms.length).toBeGreaterThan(100)
  const undecided = forms.filter(
    ([folder, name]) => !siblings[folder]?.[name] && !aUsers.some(([of]) => of.test(`${folder} ${name}`)),
  )
  expect(undecided).toEqual([])
})

it('every form and operation in this test’s lists exists', () => {
  const named = Object.entries(siblings).flatMap(([folder, names]) =>
    Object.keys(names).map((name) => `${folder} ${name}`),
  )
  const known = forms.map(([folder, name]) => `${folder} ${name}`)
  expect(named.filter((form) => !known.includes(form))).toEqual([])
  expect(aUsers.filter(([of]) => !known.some((form) => of.test(form)))).toEqual([])
  const called = Object.values(siblings).flatMap((names) => Object.values(names))
  expect(called.filter((operation) => !operations.has(operation))).toEqual([])
})
