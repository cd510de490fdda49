import { cursorOfPlace, parsePage, parseTextPage } from '@/lib/base/db/paging'
import {
  allowManagedApp,
  forbidManagedApp,
  type ListedManagedApp,
  listManagedApps,
} from '@/lib/features/sso/managed-apps'
import { pageManagedPeople, type SsoManagedUser } from '@/lib/features/sso/managed-people'
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { WorkspaceApp } from './workspace-app'

const ManagedApp = builder.objectRef<ListedManagedApp>('WorkspaceManagedApp').implement({
  description:
    "An app that may act in a workspace for the people whom the workspace's identity provider names.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    clientId: t.exposeID('clientId', { description: "The app's client id." }),
    name: t.string({ description: "The app's name.", resolve: ({ client }) => client.name }),
    scopes: t.exposeStringList('scopes', {
      description: 'The most it may do, whatever the provider says and the person may.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last got a token.',
    }),
  }),
})

builder.objectField(WorkspaceApp, 'managed', (t) =>
  t.field({
    type: ManagedApp,
    nullable: true,
    description:
      "What it may do for the people whom the workspace's identity provider names; null where it may not be sent.",
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

const Person = builder.objectRef<SsoManagedUser>('WorkspaceManagedAppUser').implement({
  description: 'A user for whom an SSO-managed app got a token.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record.' }),
    userId: t.exposeID('userId', { description: "The person's id." }),
    name: t.exposeString('name', { description: 'Their name.' }),
    createdAt: t.expose('since', { type: 'DateTime', description: 'When it first got one.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', description: 'When it last got one.' }),
  }),
})

const PersonConnection = defineConnection('WorkspaceManagedAppUser', Person, ({ id }) => cursorOfPlace(id))

const UpsertInput = builder.inputType('WorkspaceManagedAppUpsertInput', {
  description: 'An SSO-managed app, and the most it can do.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The workspace.' }),
    clientId: t.id({ required: true, description: 'The client id of an app with a secret or a key.' }),
    scopes: t.stringList({ required: true, description: 'Scopes of workspaces.' }),
  }),
})

const takesDecider = `${takes('workspace:decide-apps')}. Not for apps.`
const workspaceArg = { required: true, description: 'The workspace.' } as const

builder.queryField('workspaceManagedApps', (t) =>
  t.field({
    type: ManagedAppConnection,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), ...pageArgs },
    description: `The SSO-managed apps of a workspace, the first in front. ${takesDecider}`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      listManagedApps(actor, workspaceId, parsePage(page)),
  }),
)

builder.queryField('workspaceManagedAppUsers', (t) =>
  t.field({
    type: PersonConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      clientId: t.arg.id({ required: true, description: "The app's client id." }),
      ...pageArgs,
    },
    description: `The users for whom an SSO-managed app got a token and could act now, the first in front. ${takesDecider}`,
    resolve: (_root, { workspaceId, clientId, ...page }, { actor }) =>
      pageManagedPeople(actor, workspaceId, clientId, parseTextPage(page)),
  }),
)

builder.mutationFields((t) => ({
  workspaceManagedAppUpsert: t.field({
    type: ManagedApp,
    nullable: true,
    args: { input: t.arg({ type: UpsertInput, required: true, description: 'The app.' }) },
    description: `Lets an app act for the people whom the workspace's identity provider names, or changes how far. ${takesDecider}`,
    resolve: (_root, { input: { workspaceId, ...input } }, { actor }) =>
      allowManagedApp(actor, workspaceId, input),
  }),
  workspaceManagedAppDelete: t.boolean({
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      clientId: t.arg.id({ required: true, description: "The app's client id." }),
    },
    description: `Takes that back: its tokens are dead at their next request. Answers true. ${takesDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await forbidManagedApp(actor, workspaceId, clientId)
      return true
    },
  }),
}))
