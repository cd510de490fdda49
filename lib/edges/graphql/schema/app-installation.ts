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

/** An installation, as the admins of its workspace and the app itself see it. */
type Installed = {
  id: string
  workspaceId: string
  workspaceName: string
  scopes: string[]
  /** Null for the whole workspace. */
  projectIds: string[] | null
  createdAt: Date
  suspendedAt: Date | null
  lastUsedAt: Date | null
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text))

const fromApp = ({ since, suspendedAt, lastUsedAt, ...row }: NonNullable<InstalledApp['installation']>) => ({
  ...row,
  createdAt: new Date(since),
  suspendedAt: dateOf(suspendedAt),
  lastUsedAt: dateOf(lastUsedAt),
})

const fromRow = ({ allProjects, projectIds, workspace, ...row }: ListedInstallation): Installed => ({
  ...row,
  workspaceName: workspace.name,
  projectIds: allProjects ? null : projectIds,
})

export const AppInstallation = builder.objectRef<Installed>('AppInstallation').implement({
  description: 'An installation of an app in a workspace, where the app acts without a user.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the installation.' }),
    resource: t.string({
      description:
        'The value of `resource` that the app sends with `grant_type=client_credentials` to get a token for the installation.',
      resolve: ({ id }) => installationResource(id),
    }),
    workspaceId: t.exposeID('workspaceId', { description: 'The ID of the workspace.' }),
    workspaceName: t.exposeString('workspaceName', { description: 'The name of the workspace.' }),
    scopes: t.exposeStringList('scopes', { description: 'The scopes of the installation.' }),
    wholeWorkspace: t.boolean({
      description: 'Whether the installation covers the whole workspace, including future projects.',
      resolve: ({ projectIds }) => projectIds === null,
    }),
    projectIds: t.exposeIDList('projectIds', {
      nullable: true,
      description: 'The IDs of the projects that the installation covers. Null for the whole workspace.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the app was installed.' }),
    suspendedAt: t.expose('suspendedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an admin suspended the installation. Null if it is active.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the app last used the installation. Null if never.',
    }),
  }),
})

builder.objectField(WorkspaceApp, 'installation', (t) =>
  t.field({
    type: AppInstallation,
    nullable: true,
    description: 'The installation of the app in the workspace. Null if it is not installed.',
    resolve: ({ installation }) => installation && fromApp(installation),
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

const AppInstallationConnection = defineConnection('AppInstallation', AppInstallation)

builder.queryField('appInstallations', (t) =>
  t.field({
    type: AppInstallationConnection,
    nullable: true,
    args: pageArgs,
    description:
      'The installations of the calling app, oldest first. Omits workspaces that block the app or whose app policy excludes it and, while the app is in development, all workspaces but its own. Requires a token from the `client_credentials` grant.',
    resolve: async (_root, page, { actor }) => {
      const { rows, ...rest } = await listOwnInstallations(actor, parsePage(page))
      return { ...rest, rows: rows.map(fromRow) }
    },
  }),
)
