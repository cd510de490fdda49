import { cursorOfPlace, pageOfAll, parseTextPage } from '@/lib/base/db/page-of-all'
import {
  type AppThroughCompany,
  listAppsThroughCompanies,
} from '@/lib/features/company-access/managed-people'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { AppOfPerson } from './app-of-person'
import { Workspace, workspacesById } from './workspace'

const ManagedApp = builder.objectRef<AppThroughCompany>('ManagedApp').implement({
  interfaces: [AppOfPerson],
  description:
    'An app that acts for the person because the company behind a workspace of theirs says so. Its admins end that, or its identity provider.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record.' }),
    scopes: t.exposeStringList('scopes', { description: 'The most it may do, as far as it may use it now.' }),
    workspaceId: t.id({
      description: 'The workspace whose company says so, and the one it may touch.',
      resolve: ({ workspace }) => workspace.id,
    }),
    workspace: t.field({
      type: Workspace,
      nullable: true,
      description: 'The workspace whose company says so, and the one it may touch.',
      resolve: ({ workspace }, _args, context) => workspacesById(context).load(workspace.id),
    }),
    note: t.string({
      nullable: true,
      description: 'What keeps it out of the workspace, wholly or in part; null where nothing does.',
      resolve: ({ workspace }) => workspace.note ?? null,
    }),
    createdAt: t.expose('since', { type: 'DateTime', description: 'When it first got a token.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', description: 'When it last got one.' }),
  }),
})

const ManagedAppConnection = defineConnection('ManagedApp', ManagedApp, ({ id }) => cursorOfPlace(id))

builder.queryField('managedApps', (t) =>
  t.field({
    type: ManagedAppConnection,
    nullable: true,
    args: pageArgs,
    description:
      'The apps that act for the person by the word of a company, the first in front: of a hundred, those used last. Not for apps.',
    resolve: async (_root, page, { actor }) =>
      pageOfAll(await listAppsThroughCompanies(actor), ({ id }) => id, parseTextPage(page)),
  }),
)
