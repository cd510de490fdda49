import { parsePage } from '@/lib/base/db/paging'
import {
  installApp,
  installationResource,
  type ListedInstallation,
  listOwnInstallations,
  resumeInstallation,
  suspendInstallation,
  uninstallApp,
} from '@/lib/features/app-access/installations'
import { findInstalled, type InstalledApp } from '@/lib/features/app-access/list-installed'
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { WorkspaceApp } from './workspace-app'

type Installed = NonNullable<InstalledApp['installation']>

export const WorkspaceInstallation = builder.objectRef<Installed>('WorkspaceInstallation').implement({
  description: 'What an app is installed for: it acts for the workspace by itself, with nobody behind it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id, which the app gets its tokens by.' }),
    scopes: t.exposeStringList('scopes', { description: 'What it may do.' }),
    projectIds: t.exposeIDList('projectIds', {
      nullable: true,
      description: 'The projects it is for; null for the whole workspace.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was installed.',
      resolve: ({ since }) => new Date(since),
    }),
    suspendedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when it stands still; null while it works.',
      resolve: ({ suspendedAt }) => (suspendedAt === null ? null : new Date(suspendedAt)),
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it last acted; null for never.',
      resolve: ({ lastUsedAt }) => (lastUsedAt === null ? null : new Date(lastUsedAt)),
    }),
  }),
})

builder.objectField(WorkspaceApp, 'installation', (t) =>
  t.expose('installation', {
    type: WorkspaceInstallation,
    nullable: true,
    description: 'What it is installed for; null where it acts for people alone.',
  }),
)

const takesDecider = `${takes('workspace:decide-apps')}. Not for apps.`

const InstallInput = builder.inputType('WorkspaceAppInstallInput', {
  description: 'What an app is installed for.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The workspace.' }),
    clientId: t.id({ required: true, description: "The app's client id." }),
    scopes: t.stringList({ required: true, description: 'What it may do: scopes that the app asks for.' }),
    projectIds: t.idList({
      description: 'The only projects it may touch; the whole workspace unless given.',
    }),
  }),
})

type Arguments = Parameters<Parameters<typeof builder.mutationFields>[0]>[0]

/** Which app, where. */
const installed = (t: Arguments) => ({
  workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
  clientId: t.arg.id({ required: true, description: "The app's client id." }),
})

builder.mutationFields((t) => ({
  workspaceAppInstall: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: { input: t.arg({ type: InstallInput, required: true, description: 'The installation.' }) },
    description: `Installs an app, to act for the workspace by itself, or changes what it is installed for. ${takesDecider}`,
    resolve: async (_root, { input: { workspaceId, clientId, ...input } }, { actor }) => {
      await installApp(actor, workspaceId, clientId, input)
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppSuspend: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: installed(t),
    description: `Has an installed app stand still: its tokens are refused at their next request, until it is resumed. ${takesDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await suspendInstallation(actor, workspaceId, clientId)
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppResume: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: installed(t),
    description: `Lets a suspended app work again. ${takesDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await resumeInstallation(actor, workspaceId, clientId)
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppUninstall: t.boolean({
    nullable: true,
    args: installed(t),
    description: `Uninstalls an app: its tokens are dead at their next request. Answers true. ${takesDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await uninstallApp(actor, workspaceId, clientId)
      return true
    },
  }),
}))

const Installation = builder.objectRef<ListedInstallation>('Installation').implement({
  description: 'An app as a workspace installed it, as the app itself sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    resource: t.string({
      description: 'What to send as `resource` with grant_type=client_credentials for a token of it.',
      resolve: ({ id }) => installationResource(id),
    }),
    workspaceId: t.exposeID('workspaceId', { description: 'The workspace.' }),
    workspaceName: t.string({
      description: 'What the workspace is called.',
      resolve: ({ workspace }) => workspace.name,
    }),
    scopes: t.exposeStringList('scopes', { description: 'What it may do there.' }),
    wholeWorkspace: t.exposeBoolean('allProjects', {
      description: 'Whether it is for the whole workspace, projects to come included.',
    }),
    projectIds: t.exposeIDList('projectIds', {
      description: 'The projects it is for, where it is not for the whole workspace.',
    }),
    suspendedAt: t.expose('suspendedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when an admin has it stand still; null while it works.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was installed.' }),
  }),
})

const InstallationConnection = defineConnection('Installation', Installation)

builder.queryField('installations', (t) =>
  t.field({
    type: InstallationConnection,
    nullable: true,
    args: pageArgs,
    description:
      'The installations of the app that asks that count now, the first in front: none in a workspace that keeps it out, and none elsewhere while it is in development. For tokens that an app got for itself, by client_credentials.',
    resolve: (_root, page, { actor }) => listOwnInstallations(actor, parsePage(page)),
  }),
)
