import { parsePage } from '@/lib/base/db/keyset'
import {
  pageAuthorizations,
  type AuthorizedApp as Row,
  readAuthorization,
} from '@/lib/features/apps/authorizations/list-authorizations'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { updateSelection } from '@/lib/features/apps/authorizations/save-authorization'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../node'
import { AppOfPerson } from './app-of-person'

/** An app that a person allowed to act for them. */
export const AuthorizedApp = builder.objectRef<Row>('AuthorizedApp').implement({
  interfaces: [Node, AppOfPerson],
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
