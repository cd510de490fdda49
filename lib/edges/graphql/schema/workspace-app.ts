import { cursorOfPlace, parsePage, parseTextPage } from '@/lib/base/db/paging'
import { approveApp, blockApp, revokeForEverybody, withdrawDecision } from '@/lib/features/app-access/decide'
import { type AppUser, listAppUsers } from '@/lib/features/app-access/list-app-users'
import { findInstalled, type InstalledApp, listInstalled } from '@/lib/features/app-access/list-installed'
import { pictureAddress } from '@/lib/features/pictures/address'
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { AppProfile } from './oauth-app-inputs'

const states = {
  ALLOWED: { description: 'The app has the access that users authorize.' },
  APPROVED: { description: 'It comes in as far as it is approved.' },
  NOT_APPROVED: { description: 'It stays outside until an admin approves it.' },
  APPROVAL_EXPIRED: { description: 'The app has no access: its approval has expired.' },
  OWN_APPS_ONLY: { description: 'It stays outside: the workspace lets in none but its own.' },
  BLOCKED: { description: 'It stays outside, whatever the policy is.' },
} as const

const AppState = builder.enumType('WorkspaceAppState', {
  description: 'Whether a workspace lets an app in.',
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
  description: 'An app that members let into a workspace, or about which its admins decided.',
  fields: (t) => ({
    clientId: t.exposeID('id', { description: 'Its client id.' }),
    name: t.exposeString('name', { description: 'Its name, as people see it.' }),
    logo: t.string({
      nullable: true,
      description: 'The address of its logo; null without one.',
      resolve: ({ logoUrl }) => logoUrl && pictureAddress(logoUrl),
    }),
    logoDark: t.string({
      nullable: true,
      description: 'The address of its logo for dark pages; null where the other is shown there too.',
      resolve: ({ logoDarkUrl }) => logoDarkUrl && pictureAddress(logoDarkUrl),
    }),
    workspaceName: t.string({
      nullable: true,
      description: 'The workspace that runs it; null for an app that registered itself.',
      resolve: ({ runBy }) => runBy?.name ?? null,
    }),
    profile: t.expose('profile', { type: AppProfile, description: 'How it introduces itself.' }),
    verified: t.exposeBoolean('verified', { description: 'Whether the instance admin checked it.' }),
    verifiedDomain: t.exposeString('domain', {
      nullable: true,
      description: 'The domain that its admins proved to be theirs; null for none.',
    }),
    disabled: t.exposeBoolean('disabled', {
      description: 'Whether the instance admin of this service has switched it off, whatever is said here.',
    }),
    installScopes: t.exposeStringList('installScopes', {
      description: 'The scopes it asks for where an admin installs it; none, and it cannot be installed.',
    }),
    state: t.field({ type: AppState, description: 'Whether it comes in now.', resolve: stateOf }),
    userCount: t.exposeInt('people', { description: 'The number of users who authorized the app.' }),
    scopes: t.exposeStringList('scopes', {
      description: 'The workspace and project scopes that they allow it, all of them together.',
    }),
    wholeWorkspace: t.exposeBoolean('whole', {
      description: 'Whether anybody selected the whole workspace.',
    }),
    projectCount: t.exposeInt('projects', {
      description: 'The number of projects that users selected individually.',
    }),
    requestCount: t.exposeInt('requests', {
      description: 'The number of requests in the last 30 days that had access to the workspace.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last acted for one of them, here or elsewhere.',
    }),
    approvedScopes: t.stringList({
      nullable: true,
      description: 'The most it may do here; null without an approval.',
      resolve: (app) => approvalOf(app)?.scopes ?? null,
    }),
    approvedProjectIds: t.idList({
      nullable: true,
      description: 'The projects it is approved for; null for the whole workspace.',
      resolve: (app) => approvalOf(app)?.projectIds ?? null,
    }),
    approvalExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the approval expires. Null if it does not expire.',
      resolve: (app) => approvalOf(app)?.expiresAt ?? null,
    }),
    note: t.string({
      nullable: true,
      description: 'What the admin who decided had to say.',
      resolve: ({ decision }) => decision?.word ?? null,
    }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When an admin approved or blocked it; null where none did.',
      resolve: ({ decision }) => decision?.decidedAt ?? null,
    }),
    decidedBy: t.string({
      nullable: true,
      description: 'The name of that admin; null where they have no account any more.',
      resolve: ({ decision }) => decision?.decidedBy ?? null,
    }),
  }),
})

const WorkspaceAppConnection = defineConnection('WorkspaceApp', WorkspaceApp, ({ place }) =>
  cursorOfPlace(place),
)

const takesDecider = `${takes('workspace:decide-apps')}. Not for apps.`
const workspaceArg = { required: true, description: 'The workspace.' } as const
const clientArg = { required: true, description: "The app's client id." } as const

builder.queryFields((t) => ({
  workspaceApp: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), clientId: t.arg.id(clientArg) },
    description: `One app, also one that nobody has let in yet. ${takesDecider}`,
    resolve: (_root, { workspaceId, clientId }, { actor }) => findInstalled(actor, workspaceId, clientId),
  }),
  workspaceApps: t.field({
    type: WorkspaceAppConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      search: t.arg.string({ description: 'Part of a name or client id.' }),
      ...pageArgs,
    },
    description: `The apps that members let in, and those that admins decided about, by name. ${takesDecider}`,
    resolve: (_root, { workspaceId, search, ...page }, { actor }) =>
      listInstalled(actor, workspaceId, parseTextPage(page), { search }),
  }),
}))

const ApproveInput = builder.inputType('WorkspaceAppApproveInput', {
  description: 'The most an app may do in a workspace.',
  fields: (t) => ({
    workspaceId: t.id(workspaceArg),
    clientId: t.id(clientArg),
    scopes: t.stringList({ required: true, description: 'Workspace and project scopes.' }),
    projectIds: t.idList({
      description: 'The only projects it may touch; the whole workspace unless given.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'When the approval ends; never unless given.' }),
    note: t.string({ description: 'A word about it, at most 500 characters.' }),
  }),
})

builder.mutationFields((t) => ({
  workspaceAppApprove: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: { input: t.arg({ type: ApproveInput, required: true, description: 'The approval.' }) },
    description: `Approves an app, or changes its approval. ${takesDecider}`,
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
      note: t.arg.string({ description: 'A word about it, at most 500 characters.' }),
    },
    description: `Keeps an app out, whatever the policy is. ${takesDecider}`,
    resolve: async (_root, { workspaceId, clientId, note }, { actor }) => {
      await blockApp(actor, workspaceId, clientId, { word: note })
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppDecisionWithdraw: t.boolean({
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), clientId: t.arg.id(clientArg) },
    description: `Takes back what was decided about an app; the policy alone decides then. Answers true. ${takesDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await withdrawDecision(actor, workspaceId, clientId)
      return true
    },
  }),
  workspaceAppRevoke: t.int({
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), clientId: t.arg.id(clientArg) },
    description: `Takes the workspace out of what everybody selected for an app. Answers for how many people. ${takesDecider}`,
    resolve: (_root, { workspaceId, clientId }, { actor }) =>
      revokeForEverybody(actor, workspaceId, clientId),
  }),
}))

/** Somebody who let an app into a workspace, as its admins see them. */
export const WorkspaceAppUser = builder.objectRef<AppUser>('WorkspaceAppUser').implement({
  description: 'Somebody who let an app into a workspace or into some of its projects.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of what they allow.' }),
    userId: t.exposeID('userId', { description: "The person's id." }),
    name: t.exposeString('name', { description: 'Their name.' }),
    scopes: t.exposeStringList('scopes', { description: 'What they allow.' }),
    wholeWorkspace: t.exposeBoolean('whole', { description: 'Whether they selected the whole workspace.' }),
    projectIds: t.idList({
      description: 'The projects of the workspace that they selected one by one.',
      resolve: ({ projects }) => projects.map(({ id }) => id),
    }),
    createdAt: t.expose('since', { type: 'DateTime', description: 'Since when.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the app last acted for them, here or elsewhere; null for never.',
    }),
  }),
})

const WorkspaceAppUserConnection = defineConnection('WorkspaceAppUser', WorkspaceAppUser)

builder.queryField('workspaceAppUsers', (t) =>
  t.field({
    type: WorkspaceAppUserConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      clientId: t.arg.id({ required: true, description: "The app's client id." }),
      ...pageArgs,
    },
    description: `The people who let an app into a workspace or its projects, the first in front. ${takes('workspace:decide-apps')}. Not for apps.`,
    resolve: (_root, { workspaceId, clientId, ...page }, { actor }) =>
      listAppUsers(actor, workspaceId, clientId, parsePage(page)),
  }),
)
