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
import { builder, describeRole, notForApps } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { WorkspaceApp } from './workspace-app'

/** An installation, as visible to the admins of its workspace and to the app itself. */
type Installed = {
  id: string
  workspaceId: string
  workspaceName: string
  scopes: string[]
  /** Null if the installation covers the whole workspace. */
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
      description:
        'The IDs of the projects that the installation covers. Null if the installation covers the whole workspace.',
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
      description: 'When the app last used the installation. Null if the app never used it.',
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

const requiresDecider = `${describeRole('workspace:decide-apps')}. ${notForApps}`

const InstallInput = builder.inputType('WorkspaceAppInstallInput', {
  description: 'The app to install and the access to grant to its installation.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The ID of the workspace.' }),
    clientId: t.id({ required: true, description: 'The client ID of the app.' }),
    scopes: t.stringList({
      required: true,
      description:
        'The scopes of the installation. They must be among the scopes that the app requests for installations.',
    }),
    projectIds: t.idList({
      description: 'The IDs of the projects that the app is limited to. Default: the whole workspace.',
    }),
  }),
})

type Arguments = Parameters<Parameters<typeof builder.mutationFields>[0]>[0]

/** Returns the arguments that identify an installation. */
const installed = (t: Arguments) => ({
  workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
  clientId: t.arg.id({ required: true, description: 'The client ID of the app.' }),
})

builder.mutationFields((t) => ({
  workspaceAppInstall: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: {
      input: t.arg({
        type: InstallInput,
        required: true,
        description: 'The installation to create or change.',
      }),
    },
    description: `Installs an app so that it can act in the workspace without a user, or changes the access of its installation. ${requiresDecider}`,
    resolve: async (_root, { input: { workspaceId, clientId, ...input } }, { actor }) => {
      await installApp(actor, workspaceId, clientId, input)
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppSuspend: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: installed(t),
    description: `Suspends an app installation. Its tokens are rejected starting with the next request, until you resume the installation. ${requiresDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await suspendInstallation(actor, workspaceId, clientId)
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppResume: t.field({
    type: WorkspaceApp,
    nullable: true,
    args: installed(t),
    description: `Resumes a suspended app installation. ${requiresDecider}`,
    resolve: async (_root, { workspaceId, clientId }, { actor }) => {
      await resumeInstallation(actor, workspaceId, clientId)
      return findInstalled(actor, workspaceId, clientId)
    },
  }),
  workspaceAppUninstall: t.boolean({
    nullable: true,
    args: installed(t),
    description: `Uninstalls an app. Its tokens are rejected starting with the next request. Returns true. ${requiresDecider}`,
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
      'The installations of the calling app, oldest first. Installations in workspaces that block the app or whose app policy excludes it are omitted. While the app is in development, installations outside its own workspace are also omitted. Requires a token from the `client_credentials` grant.',
    resolve: async (_root, page, { actor }) => {
      const { rows, ...rest } = await listOwnInstallations(actor, parsePage(page))
      return { ...rest, rows: rows.map(fromRow) }
    },
  }),
)
