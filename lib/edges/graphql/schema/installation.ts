import { parsePage } from '@/lib/base/db/keyset'
import {
  installationResource,
  type ListedInstallation,
  listOwnInstallations,
} from '@/lib/features/app-access/installations'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'

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
