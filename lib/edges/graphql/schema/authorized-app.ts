import { cursorOfPlace, pageOfAll, parsePage, parseTextPage } from '@/lib/base/db/paging'
import { type RequestedApi, scopeNames } from '@/lib/features/apps/authorizations/api-grants'
import {
  pageAuthorizations,
  type AuthorizedApp as Row,
  readAuthorization,
} from '@/lib/features/apps/authorizations/list-authorizations'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { updateSelection } from '@/lib/features/apps/authorizations/save-authorization'
import { pictureAddress } from '@/lib/features/pictures/address'
import { listSsoManagedApps, type SsoManagedApp } from '@/lib/features/sso/managed-users'
import { builder, notForApps } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'
import { Workspace, workspacesById } from './workspace'

/** The data about an app that acts for a user, regardless of how the app was authorized. */
type OfUser = {
  app: {
    id: string
    name: string
    logoUrl: string | null
    workspaceName: string | null
    verified: boolean
  }
}

/** An app that acts for a user. The interface lets one fragment read authorized apps and SSO-managed apps. */
const UserApp = builder.interfaceRef<OfUser>('UserApp').implement({
  description: 'An app that acts for the user: an authorized app or an SSO-managed app.',
  fields: (t) => ({
    clientId: t.id({ description: 'The client ID of the app.', resolve: ({ app }) => app.id }),
    name: t.string({ description: 'The name of the app.', resolve: ({ app }) => app.name }),
    logo: t.string({
      nullable: true,
      description: 'The URL of the app’s logo. Null if it has none.',
      resolve: ({ app }) => app.logoUrl && pictureAddress(app.logoUrl),
    }),
    workspaceName: t.string({
      nullable: true,
      description: 'The name of the workspace that owns the app. Null for an app that registered itself.',
      resolve: ({ app }) => app.workspaceName,
    }),
    verified: t.boolean({
      description: 'Whether an instance admin verified the app.',
      resolve: ({ app }) => app.verified,
    }),
  }),
})

const AuthorizedApi = builder.objectRef<RequestedApi>('AuthorizedApi').implement({
  description: 'An external API that an authorized app can access.',
  fields: (t) => ({
    identifier: t.string({
      description: 'The value of the `resource` parameter that identifies the API (RFC 8707).',
      resolve: ({ api }) => api.identifier,
    }),
    name: t.string({ description: 'The name of the API.', resolve: ({ api }) => api.name }),
    scopes: t.stringList({
      description: 'The scopes of the API that the user granted.',
      resolve: (api) => scopeNames([api]),
    }),
  }),
})

export const AuthorizedApp = builder.objectRef<Row>('AuthorizedApp').implement({
  interfaces: [Node, UserApp],
  description: 'An app that the user authorized.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the authorization.' }),
    scopes: t.stringList({
      description: 'The scopes that the user granted, including the scopes of external APIs.',
      resolve: ({ scopes, apis }) => [...scopes, ...scopeNames(apis)],
    }),
    apis: t.field({
      type: [AuthorizedApi],
      description: 'The external APIs that the app can access.',
      resolve: ({ apis }) => apis,
    }),
    workspaceIds: t.idList({
      description: 'The IDs of the workspaces that the app can access.',
      resolve: ({ workspaces }) => workspaces.map(({ id }) => id),
    }),
    projectIds: t.idList({
      description:
        'The IDs of the projects that the app can access, in addition to the projects in its workspaces.',
      resolve: ({ projects }) => projects.map(({ id }) => id),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the user first authorized the app.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the app last used the authorization. Null if the app never used it.',
    }),
  }),
})

const AuthorizedAppConnection = defineConnection('AuthorizedApp', AuthorizedApp)

builder.queryField('authorizedApps', (t) =>
  t.field({
    type: AuthorizedAppConnection,
    nullable: true,
    args: pageArgs,
    description: `The apps that the user authorized, newest first. ${notForApps}`,
    resolve: (_root, page, { actor }) => pageAuthorizations(actor, parsePage(page)),
  }),
)

const UpdateInput = builder.inputType('AuthorizedAppUpdateInput', {
  description: 'The workspaces and projects that an app can access.',
  fields: (t) => ({
    workspaceIds: t.idList({ required: true, description: 'The IDs of the workspaces.' }),
    projectIds: t.idList({ required: true, description: 'The IDs of the projects.' }),
  }),
})

builder.mutationFields((t) => ({
  authorizedAppUpdate: t.field({
    type: AuthorizedApp,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The ID of the authorization.' }),
      input: t.arg({
        type: UpdateInput,
        required: true,
        description: 'The selected workspaces and projects.',
      }),
    },
    description: `Changes which workspaces and projects an app can access, effective at its next request. ${notForApps}`,
    resolve: async (_root, { id, input }, { actor }) => {
      await updateSelection(actor, id, input)
      return readAuthorization(actor, id)
    },
  }),
  authorizedAppRevoke: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the authorization.' }) },
    description: `Revokes an app’s authorization. The app’s tokens stop working immediately. Returns true. ${notForApps}`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeAuthorization(actor, id)
      return true
    },
  }),
}))

const ManagedApp = builder.objectRef<SsoManagedApp>('ManagedApp').implement({
  interfaces: [UserApp],
  description:
    'An SSO-managed app that acts for the user. The admins and the identity provider of the workspace can end the app’s access.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the app’s SSO-managed access for the user.' }),
    scopes: t.exposeStringList('scopes', {
      description: 'The maximum set of scopes that the app can currently use.',
    }),
    workspaceId: t.id({
      description:
        'The ID of the only workspace that the app can access. The identity provider of this workspace manages the app’s access.',
      resolve: ({ workspace }) => workspace.id,
    }),
    workspace: t.field({
      type: Workspace,
      nullable: true,
      description:
        'The only workspace that the app can access. The identity provider of this workspace manages the app’s access.',
      resolve: ({ workspace }, _args, context) => workspacesById(context).load(workspace.id),
    }),
    note: t.string({
      nullable: true,
      description:
        'The reason why the app cannot access some or all of the workspace. Null if the app has full access.',
      resolve: ({ workspace }) => workspace.note ?? null,
    }),
    createdAt: t.expose('since', { type: 'DateTime', description: 'When the app first received a token.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When the app last received a token.',
    }),
  }),
})

const ManagedAppConnection = defineConnection('ManagedApp', ManagedApp, ({ id }) => cursorOfPlace(id))

builder.queryField('managedApps', (t) =>
  t.field({
    type: ManagedAppConnection,
    nullable: true,
    args: pageArgs,
    description:
      'The SSO-managed apps that act for the user, oldest first. Only the 100 most recently used apps are included. Not available to apps.',
    resolve: async (_root, page, { actor }) =>
      pageOfAll(await listSsoManagedApps(actor), ({ id }) => id, parseTextPage(page)),
  }),
)
