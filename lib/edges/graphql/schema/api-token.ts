import { parsePage } from '@/lib/base/db/paging'
import { createApiToken, createProjectToken } from '@/lib/features/api-tokens/create-api-token'
import {
  findOwnProjectToken,
  listApiTokens,
  listOwnProjectTokens,
  listProjectTokens,
} from '@/lib/features/api-tokens/list-api-tokens'
import { revokeApiToken, revokeProjectToken } from '@/lib/features/api-tokens/revoke-api-token'
import type { ApiToken as ApiTokenRow } from '@/lib/generated/prisma/client'
import { builder, compatibility, describeRole, notForApps } from '../builder'
import { defineConnection, defineSecretPayload, pageArgs } from '../connection'
import { Node } from '../nodes'
import { Environment, environmentsById, environmentsOf } from './environment'
import { Project, projectsById } from './project'
import { RoleEnum } from './scalars'
import { tokenFields, tokenListArgs } from './workspace-token'

/** An account or workspace token. */
export const ApiToken = builder.objectRef<ApiTokenRow>('ApiToken').implement({
  interfaces: [Node],
  description:
    'An account token or a workspace token. It acts for the user who created it, with the lower of the token’s role and the user’s role. A workspace token can access only its workspace.',
  fields: (t) => ({
    ...tokenFields(t, {
      owner: 'owner',
      prefix: 'pat',
      role: ' For an account token, ADMIN means no limit.',
    }),
    workspaceId: t.exposeID('workspaceId', {
      nullable: true,
      description: 'The ID of the only workspace that the token can access. Null for an account token.',
    }),
  }),
})

const ProjectToken = builder.objectRef<ApiTokenRow>('ProjectToken').implement({
  interfaces: [Node],
  description:
    'A token for one project, sent as `Authorization: Bearer` or as `Project-Access-Token`. It acts for the user who created it, with the lower of the token’s role and the user’s role.',
  fields: (t) => ({
    ...tokenFields(t, { owner: 'creator', prefix: 'pjt' }),
    projectId: t.id({
      description: 'The ID of the only project that the token can access.',
      resolve: (token) => token.projectId as string,
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The only project that the token can access.',
      resolve: (token, _args, context) => projectsById(context).load(token.projectId as string),
    }),
    environmentId: t.exposeID('environmentId', {
      nullable: true,
      description:
        'The ID of the only environment that the token can access. Null if the token can access all environments of the project.',
    }),
    environment: t.field({
      type: Environment,
      nullable: true,
      description: `${compatibility} The environment that the token is limited to. If the token is not limited to one environment, \`environmentId\` is null and this field returns the oldest environment of the project, or null if the project has none.`,
      resolve: async (token, _args, context) => {
        if (token.environmentId) return environmentsById(context).load(token.environmentId)
        const project = await projectsById(context).load(token.projectId as string)
        return (await environmentsOf(context, parsePage({ first: 1 })).load(project.id)).rows[0]
      },
    }),
  }),
})

const ApiTokenConnection = defineConnection('ApiToken', ApiToken)
export const ProjectTokenConnection = defineConnection('ProjectToken', ProjectToken)

builder.queryFields((t) => ({
  apiTokens: t.field({
    type: ApiTokenConnection,
    nullable: true,
    args: { ...tokenListArgs, ...pageArgs },
    description: `The user’s account and workspace tokens, oldest first. ${notForApps}`,
    resolve: (_root, { filter, ...page }, { actor }) => listApiTokens(actor, page, filter ?? {}),
  }),
  ownProjectTokens: t.field({
    type: ProjectTokenConnection,
    nullable: true,
    args: { ...tokenListArgs, ...pageArgs },
    description: `The project tokens that the user created, in any project, oldest first. Revoke them with \`apiTokenDelete\`. ${notForApps}`,
    resolve: (_root, { filter, ...page }, { actor }) => listOwnProjectTokens(actor, page, filter ?? {}),
  }),
  projectToken: t.field({
    type: ProjectToken,
    nullable: true,
    description: 'The project token that was sent with this request. Available only to project tokens.',
    resolve: (_root, _args, { actor }) => findOwnProjectToken(actor),
  }),
  projectTokens: t.field({
    type: ProjectTokenConnection,
    nullable: true,
    args: {
      projectId: t.arg.id({ required: true, description: 'The ID of the project.' }),
      ...tokenListArgs,
      ...pageArgs,
    },
    description: `The project’s tokens, regardless of who created them, oldest first. ${describeRole('project:manage-tokens')}.`,
    resolve: (_root, { projectId, filter, ...page }, { actor }) =>
      listProjectTokens(actor, projectId, page, filter ?? {}),
  }),
}))

const expiry =
  'When the token expires. Default: never. If you create the token with an API token that expires, the expiry of that API token is the default and the maximum.'

const ApiTokenCreateInput = builder.inputType('ApiTokenCreateInput', {
  description: 'A new account token, or a new workspace token if `workspaceId` is set.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name of the token: 1 to 80 characters.' }),
    workspaceId: t.id({
      description: 'The ID of the only workspace that the token can access. Omit it for an account token.',
    }),
    role: t.field({
      type: RoleEnum,
      description:
        'The highest role that the token can use. Default: ADMIN (no limit) for an account token, and the user’s current role for a workspace token. An account token limited to MEMBER or VIEWER cannot manage the account: for example, it cannot create tokens or change SSH keys.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: expiry }),
  }),
})

const ProjectTokenCreateInput = builder.inputType('ProjectTokenCreateInput', {
  description: 'A new project token.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The ID of the only project that the token can access.' }),
    environmentId: t.id({
      description:
        'The ID of the only environment that the token can access. Default: all environments. A token limited to one environment can only read the project and read and write the variables of that environment.',
    }),
    name: t.string({ required: true, description: 'The name of the token: 1 to 80 characters.' }),
    role: t.field({
      type: RoleEnum,
      description: 'The highest role that the token can use. Default: the user’s current role.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: expiry }),
  }),
})

const tokenOf = 'The value to send as `Authorization: Bearer`. It is returned only once.'

const ApiTokenCreateWithDetailsPayload = defineSecretPayload(
  'ApiTokenCreateWithDetailsPayload',
  { name: 'apiToken', type: ApiToken, description: 'The token.' },
  tokenOf,
  'A new account or workspace token and its value.',
)

const ProjectTokenCreatePayload = defineSecretPayload(
  'ProjectTokenCreatePayload',
  { name: 'projectToken', type: ProjectToken, description: 'The token.' },
  tokenOf,
  'A new project token and its value.',
)

builder.mutationFields((t) => ({
  apiTokenCreate: t.string({
    args: {
      input: t.arg({ type: ApiTokenCreateInput, required: true, description: 'The token to create.' }),
    },
    description: `Creates an account or workspace token and returns its value. The value is returned only once. Use it alone in a request: the field is not nullable, so an error makes the whole \`data\` null. To also get the ID and expiry, or to send several mutations in one request, use \`apiTokenCreateWithDetails\`. ${notForApps}`,
    resolve: async (_root, { input }, { actor }) => (await createApiToken(actor, input)).value,
  }),
  apiTokenCreateWithDetails: t.field({
    type: ApiTokenCreateWithDetailsPayload,
    nullable: true,
    args: {
      input: t.arg({ type: ApiTokenCreateInput, required: true, description: 'The token to create.' }),
    },
    description: `Creates an account or workspace token and returns the token with its value. The value is returned only once. Use this mutation if you need the ID, expiry, or role of the new token, or if you send several mutations in one request. \`apiTokenCreate\` returns only the value. ${notForApps}`,
    resolve: async (_root, { input }, { actor }) => {
      const { token, value } = await createApiToken(actor, input)
      return { thing: token, secret: value }
    },
  }),
  apiTokenDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the token.' }) },
    description: `Revokes an account, workspace, or project token that the user created. It stops working immediately. Returns true. ${notForApps}`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeApiToken(actor, id)
      return true
    },
  }),
  projectTokenCreate: t.field({
    type: ProjectTokenCreatePayload,
    nullable: true,
    args: {
      input: t.arg({ type: ProjectTokenCreateInput, required: true, description: 'The token to create.' }),
    },
    description: `Creates a project token and returns it with its value. The value is returned only once. ${describeRole('project:manage-tokens')}. ${notForApps}`,
    resolve: async (_root, { input }, { actor }) => {
      const { token, value } = await createProjectToken(actor, input)
      return { thing: token, secret: value }
    },
  }),
  projectTokenDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the token.' }) },
    description: `Revokes a project token, regardless of who created it. It stops working immediately. Returns true. ${describeRole('project:manage-tokens')}.`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeProjectToken(actor, id)
      return true
    },
  }),
}))
