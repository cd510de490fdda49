import { cursorOfPlace, parsePage, parseTextPage } from '@/lib/base/db/paging'
import {
  allowManagedApp,
  type ListedManagedApp,
  listManagedApps,
  removeManagedApp,
} from '@/lib/features/sso/managed-apps'
import { pageManagedUsers, type SsoManagedUser } from '@/lib/features/sso/managed-users'
import { builder, describeRole, notForApps } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { WorkspaceApp } from './workspace-app'

const ManagedApp = builder.objectRef<ListedManagedApp>('WorkspaceManagedApp').implement({
  description:
    'An SSO-managed app. It can act in a workspace for the users that the workspace’s identity provider specifies.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the SSO-managed app. It is not the client ID.' }),
    clientId: t.exposeID('clientId', { description: 'The client ID of the app.' }),
    name: t.string({ description: 'The name of the app.', resolve: ({ client }) => client.name }),
    scopes: t.exposeStringList('scopes', {
      description:
        'The maximum set of scopes that the app can use. The identity provider and the user’s role can limit them further.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the app was added.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the app last received a token. Null if it never received one.',
    }),
  }),
})

builder.objectField(WorkspaceApp, 'managed', (t) =>
  t.field({
    type: ManagedApp,
    nullable: true,
    description: 'The SSO-managed access of the app. Null if it has none.',
    resolve: ({ id, name, managed }) =>
      managed && {
        id: managed.id,
        clientId: id,
        client: { name },
        scopes: managed.scopes,
        createdAt: new Date(managed.since),
        lastUsedAt: managed.lastUsedAt === null ? null : new Date(managed.lastUsedAt),
      },
  }),
)

const ManagedAppConnection = defineConnection('WorkspaceManagedApp', ManagedApp)

const User = builder.objectRef<SsoManagedUser>('WorkspaceManagedAppUser').implement({
  description: 'A user of an SSO-managed app, which has received a token for the user.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the app’s SSO-managed access for the user.' }),
    userId: t.exposeID('userId', { description: 'The ID of the user.' }),
    name: t.exposeString('name', { description: 'The name of the user.' }),
    createdAt: t.expose('since', {
      type: 'DateTime',
      description: 'When the app first received a token for the user.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When the app last received a token for the user.',
    }),
  }),
})

const UserConnection = defineConnection('WorkspaceManagedAppUser', User, ({ id }) => cursorOfPlace(id))

const UpsertInput = builder.inputType('WorkspaceManagedAppUpsertInput', {
  description: 'An SSO-managed app and the scopes that it can use.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The ID of the workspace.' }),
    clientId: t.id({
      required: true,
      description: 'The client ID of the app, which must have a secret or a key.',
    }),
    scopes: t.stringList({
      required: true,
      description: 'The maximum set of workspace scopes that the app can use.',
    }),
  }),
})

const requiresDecider = `${describeRole('workspace:decide-apps')}. ${notForApps}`
const workspaceArg = { required: true, description: 'The ID of the workspace.' } as const

builder.queryField('workspaceManagedApps', (t) =>
  t.field({
    type: ManagedAppConnection,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), ...pageArgs },
    description: `The SSO-managed apps of a workspace, oldest first. ${requiresDecider}`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      listManagedApps(actor, workspaceId, parsePage(page)),
  }),
)

builder.queryField('workspaceManagedAppUsers', (t) =>
  t.field({
    type: UserConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      clientId: t.arg.id({ required: true, description: 'The client ID of the app.' }),
      ...pageArgs,
    },
    description: `The users that an SSO-managed app has received a token for and can still act for, oldest first. ${requiresDecider}`,
    resolve: (_root, { workspaceId, clientId, ...page }, { actor }) =>
      pageManagedUsers(actor, workspaceId, clientId, parseTextPage(page)),
  }),
)

builder.mutationFields((t) => ({
  workspaceManagedAppUpsert: t.field({
    type: ManagedApp,
    nullable: true,
    args: { input: t.arg({ type: UpsertInput, required: true, description: 'The app and its scopes.' }) },
    description: `Adds an SSO-managed app to a workspace, or changes its scopes. ${requiresDecider}`,
    resolve: (_root, { input: { workspaceId, ...input } }, { actor }) =>
      allowManagedApp(actor, workspaceId, input),
  }),
  workspaceManagedAppDelete: t.boolean({
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      clientId: t.arg.id({ required: true, description: 'The client ID of the app.' }),
    },
    description: `Removes an SSO-managed app from a workspace. Its tokens are rejected starting with the next request. Returns true. ${requiresDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await removeManagedApp(actor, workspaceId, clientId)
      return true
    },
  }),
}))
