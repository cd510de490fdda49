import { cursorOfPlace, parsePage, parseTextPage } from '@/lib/base/db/paging'
import { approveApp, blockApp, revokeForAllUsers, withdrawDecision } from '@/lib/features/app-access/decide'
import { type AppUser, listAppUsers } from '@/lib/features/app-access/list-app-users'
import { findInstalled, type InstalledApp, listInstalled } from '@/lib/features/app-access/list-installed'
import { pictureAddress } from '@/lib/features/pictures/address'
import { builder, describeRole, notForApps } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { AppProfile } from './oauth-app-inputs'

const states = {
  ALLOWED: { description: 'The app has the access that users authorize.' },
  APPROVED: { description: 'The app has the access that its approval allows.' },
  NOT_APPROVED: { description: 'The app has no access until an admin approves it.' },
  APPROVAL_EXPIRED: { description: 'The app has no access because its approval has expired.' },
  OWN_APPS_ONLY: { description: 'The app has no access because the workspace allows only its own apps.' },
  BLOCKED: { description: 'The app has no access under any policy.' },
} as const

const AppState = builder.enumType('WorkspaceAppState', {
  description: 'The access status of an app in a workspace.',
  values: states,
})

const closed = {
  blocked: 'BLOCKED',
  'own-apps-only': 'OWN_APPS_ONLY',
  'not-approved': 'NOT_APPROVED',
  ended: 'APPROVAL_EXPIRED',
} as const

const stateOf = ({ admission }: InstalledApp): keyof typeof states =>
  admission.kind === 'closed'
    ? closed[admission.reason]
    : admission.kind === 'within'
      ? 'APPROVED'
      : 'ALLOWED'

const approvalOf = ({ decision }: InstalledApp) => (decision?.decision === 'APPROVED' ? decision : null)

export const WorkspaceApp = builder.objectRef<InstalledApp>('WorkspaceApp').implement({
  description: 'An app that members authorized for a workspace, or that its admins approved or blocked.',
  fields: (t) => ({
    clientId: t.exposeID('id', { description: 'The client ID of the app.' }),
    name: t.exposeString('name', { description: 'The name of the app.' }),
    logo: t.string({
      nullable: true,
      description: 'The URL of the app’s logo. Null if it has none.',
      resolve: ({ logoUrl }) => logoUrl && pictureAddress(logoUrl),
    }),
    logoDark: t.string({
      nullable: true,
      description:
        'The URL of the app’s logo for dark pages. Null if light and dark pages use the same logo.',
      resolve: ({ logoDarkUrl }) => logoDarkUrl && pictureAddress(logoDarkUrl),
    }),
    workspaceName: t.string({
      nullable: true,
      description: 'The name of the workspace that owns the app. Null for an app that registered itself.',
      resolve: ({ runBy }) => runBy?.name ?? null,
    }),
    profile: t.expose('profile', { type: AppProfile, description: 'The profile of the app.' }),
    verified: t.exposeBoolean('verified', { description: 'Whether an instance admin verified the app.' }),
    verifiedDomain: t.exposeString('domain', {
      nullable: true,
      description: 'The verified domain of the app. Null if it has none.',
    }),
    disabled: t.exposeBoolean('disabled', {
      description:
        'Whether an instance admin disabled the app. A disabled app has no access, regardless of its state.',
    }),
    installScopes: t.exposeStringList('installScopes', {
      description:
        'The scopes that the app requests for installations. If empty, the app cannot be installed.',
    }),
    state: t.field({
      type: AppState,
      description: 'The current access status of the app.',
      resolve: stateOf,
    }),
    userCount: t.exposeInt('users', { description: 'The number of users who authorized the app.' }),
    scopes: t.exposeStringList('scopes', {
      description: 'The combined workspace and project scopes that users granted.',
    }),
    wholeWorkspace: t.exposeBoolean('whole', {
      description: 'Whether any user selected the whole workspace.',
    }),
    projectCount: t.exposeInt('projects', {
      description: 'The number of projects that users selected individually.',
    }),
    requestCount: t.exposeInt('requests', {
      description: 'The number of the app’s requests in the last 30 days that had access to the workspace.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the app last acted for one of the users who authorized it, in this workspace or elsewhere. Null if it never did.',
    }),
    approvedScopes: t.stringList({
      nullable: true,
      description:
        'The maximum set of scopes that the app can use in the workspace. Null if the app is not approved.',
      resolve: (app) => approvalOf(app)?.scopes ?? null,
    }),
    approvedProjectIds: t.idList({
      nullable: true,
      description:
        'The IDs of the projects that the app is approved for. Null if the approval covers the whole workspace or if the app has no approval.',
      resolve: (app) => approvalOf(app)?.projectIds ?? null,
    }),
    approvalExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the approval expires. Null if the approval does not expire or if the app has no approval.',
      resolve: (app) => approvalOf(app)?.expiresAt ?? null,
    }),
    note: t.string({
      nullable: true,
      description: 'The note from the admin who approved or blocked the app. Null if there is none.',
      resolve: ({ decision }) => decision?.word ?? null,
    }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When an admin approved or blocked the app. Null if no admin has done so.',
      resolve: ({ decision }) => decision?.decidedAt ?? null,
    }),
    decidedBy: t.string({
      nullable: true,
      description:
        'The name of the admin who approved or blocked the app. Null if no admin has done so, or if the admin no longer has an account.',
      resolve: ({ decision }) => decision?.decidedBy ?? null,
    }),
  }),
})

const WorkspaceAppConnection = defineConnection('WorkspaceApp', WorkspaceApp, ({ place }) =>
  cursorOfPlace(place),
)

const requiresDecider = `${describeRole('workspace:decide-apps')}. ${notForApps}`
const workspaceArg = { required: true, description: 'The ID of the workspace.' } as const
const clientArg = { required: true, description: 'The client ID of the app.' } as const

builder.queryFields((t) => ({
  workspaceApp: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), clientId: t.arg.id(clientArg) },
    description: `An app and its access to a workspace, even if no user has authorized the app there yet. ${requiresDecider}`,
    resolve: (_root, { workspaceId, clientId }, { actor }) => findInstalled(actor, workspaceId, clientId),
  }),
  workspaceApps: t.field({
    type: WorkspaceAppConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      search: t.arg.string({ description: 'The text to search for: part of a name or client ID.' }),
      ...pageArgs,
    },
    description: `The apps that members authorized or that admins approved or blocked, ordered by name. ${requiresDecider}`,
    resolve: (_root, { workspaceId, search, ...page }, { actor }) =>
      listInstalled(actor, workspaceId, parseTextPage(page), { search }),
  }),
}))

const ApproveInput = builder.inputType('WorkspaceAppApproveInput', {
  description: 'An approval of an app for a workspace.',
  fields: (t) => ({
    workspaceId: t.id(workspaceArg),
    clientId: t.id(clientArg),
    scopes: t.stringList({
      required: true,
      description: 'The maximum set of workspace and project scopes that the app can use.',
    }),
    projectIds: t.idList({
      description: 'The IDs of the projects that the app is limited to. Default: the whole workspace.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'When the approval expires. Default: never.' }),
    note: t.string({ description: 'A note about the decision: up to 500 characters.' }),
  }),
})

builder.mutationFields((t) => ({
  workspaceAppApprove: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: { input: t.arg({ type: ApproveInput, required: true, description: 'The approval.' }) },
    description: `Approves an app, or changes its approval. ${requiresDecider}`,
    resolve: async (_root, { input: { workspaceId, clientId, note, ...input } }, { actor }) => {
      await approveApp(actor, workspaceId, clientId, { ...input, word: note })
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppBlock: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      clientId: t.arg.id(clientArg),
      note: t.arg.string({ description: 'A note about the decision: up to 500 characters.' }),
    },
    description: `Blocks an app, regardless of the app policy. ${requiresDecider}`,
    resolve: async (_root, { workspaceId, clientId, note }, { actor }) => {
      await blockApp(actor, workspaceId, clientId, { word: note })
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppDecisionWithdraw: t.boolean({
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), clientId: t.arg.id(clientArg) },
    description: `Withdraws the approval or block of an app. From then on, only the app policy applies. Returns true. ${requiresDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await withdrawDecision(actor, workspaceId, clientId)
      return true
    },
  }),
  workspaceAppRevoke: t.int({
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), clientId: t.arg.id(clientArg) },
    description: `Removes the workspace from all users’ authorizations of an app and returns the number of users. ${requiresDecider}`,
    resolve: (_root, { workspaceId, clientId }, { actor }) => revokeForAllUsers(actor, workspaceId, clientId),
  }),
}))

/**
 * A user who authorized an app for a workspace or for some of its projects, as visible to the workspace's
 * admins.
 */
export const WorkspaceAppUser = builder.objectRef<AppUser>('WorkspaceAppUser').implement({
  description: 'A user who authorized an app for a workspace or for some of its projects.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the authorization.' }),
    userId: t.exposeID('userId', { description: 'The ID of the user.' }),
    name: t.exposeString('name', { description: 'The name of the user.' }),
    scopes: t.exposeStringList('scopes', { description: 'The scopes that the user granted.' }),
    wholeWorkspace: t.exposeBoolean('whole', {
      description: 'Whether the user selected the whole workspace.',
    }),
    projectIds: t.idList({
      description: 'The IDs of the workspace’s projects that the user selected individually.',
      resolve: ({ projects }) => projects.map(({ id }) => id),
    }),
    createdAt: t.expose('since', { type: 'DateTime', description: 'When the user authorized the app.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the app last acted for the user, in this workspace or elsewhere. Null if it never acted for the user.',
    }),
  }),
})

const WorkspaceAppUserConnection = defineConnection('WorkspaceAppUser', WorkspaceAppUser)

builder.queryField('workspaceAppUsers', (t) =>
  t.field({
    type: WorkspaceAppUserConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      clientId: t.arg.id({ required: true, description: 'The client ID of the app.' }),
      ...pageArgs,
    },
    description: `The users who authorized an app for a workspace or its projects, oldest first. ${describeRole('workspace:decide-apps')}. ${notForApps}`,
    resolve: (_root, { workspaceId, clientId, ...page }, { actor }) =>
      listAppUsers(actor, workspaceId, clientId, parsePage(page)),
  }),
)
