import { cursorOfPlace, pageOfAll, parsePage, parseTextPage } from '@/lib/base/db/paging'
import {
  pageAuthorizations,
  type AuthorizedApp as Row,
  readAuthorization,
} from '@/lib/features/apps/authorizations/list-authorizations'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { updateSelection } from '@/lib/features/apps/authorizations/save-authorization'
import {
  type AppThroughCompany,
  listAppsThroughCompanies,
} from '@/lib/features/company-access/managed-people'
import { pictureAddress } from '@/lib/features/pictures/address'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'
import { Workspace, workspacesById } from './workspace'

/** What is told of an app that acts for a person, whoever let it. */
type OfPerson = {
  app: {
    id: string
    name: string
    logoUrl: string | null
    workspaceName: string | null
    verified: boolean
  }
}

/** An app that acts for a person: so that one fragment reads those that they allowed and those of their companies. */
const UserApp = builder.interfaceRef<OfPerson>('UserApp').implement({
  description:
    'An app that acts for the person: because they allowed it, or because a company of theirs says so.',
  fields: (t) => ({
    clientId: t.id({ description: "The app's client id.", resolve: ({ app }) => app.id }),
    name: t.string({ description: "The app's name.", resolve: ({ app }) => app.name }),
    logo: t.string({
      nullable: true,
      description: 'The address of its logo; null without one.',
      resolve: ({ app }) => app.logoUrl && pictureAddress(app.logoUrl),
    }),
    workspaceName: t.string({
      nullable: true,
      description: 'The workspace that runs it; null for an app that registered itself.',
      resolve: ({ app }) => app.workspaceName,
    }),
    verified: t.boolean({
      description: 'Whether the instance admin checked it.',
      resolve: ({ app }) => app.verified,
    }),
  }),
})

/** An app that a person allowed to act for them. */
export const AuthorizedApp = builder.objectRef<Row>('AuthorizedApp').implement({
  interfaces: [Node, UserApp],
  description: 'An app that the person allowed to act for them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the authorization.' }),
    scopes: t.exposeStringList('scopes', { description: 'What it may do.' }),
    workspaceIds: t.idList({
      description: 'The workspaces it may touch.',
      resolve: ({ workspaces }) => workspaces.map(({ id }) => id),
    }),
    projectIds: t.idList({
      description: 'The projects it may touch, besides those of its workspaces.',
      resolve: ({ projects }) => projects.map(({ id }) => id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first allowed.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last acted.',
    }),
  }),
})

const AuthorizedAppConnection = defineConnection('AuthorizedApp', AuthorizedApp)

builder.queryField('authorizedApps', (t) =>
  t.field({
    type: AuthorizedAppConnection,
    nullable: true,
    args: pageArgs,
    description: 'The apps that the person allowed to act for them, the latest allowed first. Not for apps.',
    resolve: (_root, page, { actor }) => pageAuthorizations(actor, parsePage(page)),
  }),
)

const UpdateInput = builder.inputType('AuthorizedAppUpdateInput', {
  description: 'What an app may touch from now on.',
  fields: (t) => ({
    workspaceIds: t.idList({ required: true, description: 'The workspaces.' }),
    projectIds: t.idList({ required: true, description: 'The projects.' }),
  }),
})

builder.mutationFields((t) => ({
  authorizedAppUpdate: t.field({
    type: AuthorizedApp,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The authorization.' }),
      input: t.arg({ type: UpdateInput, required: true, description: 'The selection.' }),
    },
    description: 'Changes what an app may touch; its next request feels it. Not for apps.',
    resolve: async (_root, { id, input }, { actor }) => {
      await updateSelection(actor, id, input)
      return readAuthorization(actor, id)
    },
  }),
  authorizedAppRevoke: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The authorization.' }) },
    description:
      'Takes back all that an app may do; its tokens are dead at once. Answers true. Not for apps.',
    resolve: async (_root, { id }, { actor }) => {
      await revokeAuthorization(actor, id)
      return true
    },
  }),
}))

const ManagedApp = builder.objectRef<AppThroughCompany>('ManagedApp').implement({
  interfaces: [UserApp],
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
