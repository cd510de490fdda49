import {
  installApp,
  resumeInstallation,
  suspendInstallation,
  uninstallApp,
} from '@/lib/features/app-access/installations'
import { findInstalled, type InstalledApp } from '@/lib/features/app-access/list-installed'
import { builder } from '../builder'
import { takes } from '../takes'
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
