import { cursorOfPlace, pageOfAll, parsePage, parseTextPage } from '@/lib/base/db/paging'
import {
  pageAuthorizations,
  type AuthorizedApp as Row,
  readAuthorization,
} from '@/lib/features/apps/authorizations/list-authorizations'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { updateSelection } from '@/lib/features/apps/authorizations/save-authorization'
import { pictureAddress } from '@/lib/features/pictures/address'
import { listSsoManagedApps, type SsoManagedApp } from '@/lib/features/sso/managed-people'
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

/** An app that acts for a user, so that one fragment reads authorized and SSO-managed apps. */
const UserApp = builder.interfaceRef<OfPerson>('UserApp').implement({
  description: 'An app that acts for the user: an authorized app or an SSO-managed app.',
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

const ManagedApp = builder.objectRef<SsoManagedApp>('ManagedApp').implement({
  interfaces: [UserApp],
  description:
    'An SSO-managed app that acts for the user. The workspace’s admins or its identity provider can end its access.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record.' }),
    scopes: t.exposeStringList('scopes', { description: 'The most it may do, as far as it may use it now.' }),
    workspaceId: t.id({
      description: 'The workspace whose identity provider sends it, and the only one that it can access.',
      resolve: ({ workspace }) => workspace.id,
    }),
    workspace: t.field({
      type: Workspace,
      nullable: true,
      description: 'The workspace whose identity provider sends it, and the only one that it can access.',
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
      'The SSO-managed apps that act for the user, the first in front: the 100 that were used last. Not for apps.',
    resolve: async (_root, page, { actor }) =>
      pageOfAll(await listSsoManagedApps(actor), ({ id }) => id, parseTextPage(page)),
  }),
)
