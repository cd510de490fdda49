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
import { requireProject } from '@/lib/policy/require'
import { builder, takes } from '../builder'
import { defineConnection, defineSecretPayload, pageArgs } from '../connection'
import { defineLoader } from '../context'
import { Node } from '../nodes'
import { Environment, environmentsById, environmentsOf } from './environment'
import { Project } from './project'
import { RoleEnum } from './scalars'
import { tokenFields, tokenListArgs } from './workspace-token'

/** An account or workspace token. */
export const ApiToken = builder.objectRef<ApiTokenRow>('ApiToken').implement({
  interfaces: [Node],
  description:
    'An account token, or a workspace token. It acts for the person who made it, capped by its role and limited to its workspace.',
  fields: (t) => ({
    ...tokenFields(t, {
      owner: 'owner',
      prefix: 'pat',
      role: ' ADMIN for an account token is no limit.',
    }),
    workspaceId: t.exposeID('workspaceId', {
      nullable: true,
      description: 'The one workspace it reaches; null for an account token.',
    }),
  }),
})

/** The project of a token: lists hold the tokens of one project. */
const projectOf = defineLoader((actor, ids) =>
  Promise.all(ids.map((id) => requireProject(actor, 'project:read', id).catch((error: Error) => error))),
)

const ProjectToken = builder.objectRef<ApiTokenRow>('ProjectToken').implement({
  interfaces: [Node],
  description:
    'A token for one project, sent as `Authorization: Bearer` or as `Project-Access-Token`. It acts for the person who made it, capped by its role.',
  fields: (t) => ({
    ...tokenFields(t, { owner: 'maker', prefix: 'pjt' }),
    projectId: t.id({
      description: 'The one project it reaches.',
      resolve: (token) => token.projectId as string,
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The one project it reaches.',
      resolve: (token, _args, context) => projectOf(context).load(token.projectId as string),
    }),
    environmentId: t.exposeID('environmentId', {
      nullable: true,
      description: 'The one environment it reaches; null for all of the project.',
    }),
    environment: t.field({
      type: Environment,
      nullable: true,
      description:
        'Compatibility field for clients of similar APIs. The environment that the token is limited to. If there is no limit, `environmentId` is null and this is the oldest environment of the project, or null if the project has none.',
      resolve: async (token, _args, context) => {
        if (token.environmentId) return environmentsById(context).load(token.environmentId)
        const project = await projectOf(context).load(token.projectId as string)
        return (await environmentsOf(context, parsePage({ first: 1 })).load(project.id)).rows[0]
      },
    }),
  }),
})

const ApiTokenConnection = defineConnection('ApiToken', ApiToken)
/** A page of project tokens. */
export const ProjectTokenConnection = defineConnection('ProjectToken', ProjectToken)

builder.queryFields((t) => ({
  apiTokens: t.field({
    type: ApiTokenConnection,
    nullable: true,
    args: { ...tokenListArgs, ...pageArgs },
    description: "The person's account and workspace tokens, oldest first. Not for apps.",
    resolve: (_root, { filter, ...page }, { actor }) => listApiTokens(actor, page, filter ?? {}),
  }),
  ownProjectTokens: t.field({
    type: ProjectTokenConnection,
    nullable: true,
    args: { ...tokenListArgs, ...pageArgs },
    description:
      'The project tokens that the person made, in whatever project, oldest first. `apiTokenDelete` revokes them. Not for apps.',
    resolve: (_root, { filter, ...page }, { actor }) => listOwnProjectTokens(actor, page, filter ?? {}),
  }),
  projectToken: t.field({
    type: ProjectToken,
    nullable: true,
    description:
      'The project token that was sent with this request: what it is and reaches. For project tokens alone.',
    resolve: (_root, _args, { actor }) => findOwnProjectToken(actor),
  }),
  projectTokens: t.field({
    type: ProjectTokenConnection,
    nullable: true,
    args: {
      projectId: t.arg.id({ required: true, description: 'The id of the project.' }),
      ...tokenListArgs,
      ...pageArgs,
    },
    description: `A project's tokens, whoever made them, oldest first. ${takes('project:manage-tokens')}.`,
    resolve: (_root, { projectId, filter, ...page }, { actor }) =>
      listProjectTokens(actor, projectId, page, filter ?? {}),
  }),
}))

const expiry =
  'When the token expires. Default: never. A token that an expiring API token creates expires no later than that one, which is then the default.'

const ApiTokenCreateInput = builder.inputType('ApiTokenCreateInput', {
  description: 'A new account token, or with a workspace a workspace token.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What to call it: 1 to 80 characters.' }),
    workspaceId: t.id({
      description: 'The one workspace it shall reach; leave it out for an account token.',
    }),
    role: t.field({
      type: RoleEnum,
      description:
        'The most it may do. Unless given: no limit (ADMIN) for an account token, the role of the person now for a workspace token. An account token limited to MEMBER or VIEWER cannot manage the account, such as make tokens or change SSH keys.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: expiry }),
  }),
})

const ProjectTokenCreateInput = builder.inputType('ProjectTokenCreateInput', {
  description: 'A new project token.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The one project it shall reach.' }),
    environmentId: t.id({
      description:
        'The one environment of the project it shall reach; all of them, unless given. Such a token reads the project, and reads and writes the variables of that environment, and nothing else.',
    }),
    name: t.string({ required: true, description: 'What to call it: 1 to 80 characters.' }),
    role: t.field({
      type: RoleEnum,
      description: 'The most it may do; the role of the person now, unless given.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: expiry }),
  }),
})

const tokenOf = 'Its value, to be sent as `Authorization: Bearer`; it is shown this once.'

const ApiTokenCreateWithDetailsPayload = defineSecretPayload(
  'ApiTokenCreateWithDetailsPayload',
  { name: 'apiToken', type: ApiToken, description: 'The token.' },
  tokenOf,
)

const ProjectTokenCreatePayload = defineSecretPayload(
  'ProjectTokenCreatePayload',
  { name: 'projectToken', type: ProjectToken, description: 'The token.' },
  tokenOf,
)

builder.mutationFields((t) => ({
  apiTokenCreate: t.string({
    args: { input: t.arg({ type: ApiTokenCreateInput, required: true, description: 'The new token.' }) },
    description:
      'Creates an account or workspace token and returns its value, once. Use it alone in a request: the field is not nullable, so an error makes the whole `data` null. To get the ID and expiry too, or to send several mutations in one request, use `apiTokenCreateWithDetails`. Not available to apps.',
    resolve: async (_root, { input }, { actor }) => (await createApiToken(actor, input)).value,
  }),
  apiTokenCreateWithDetails: t.field({
    type: ApiTokenCreateWithDetailsPayload,
    nullable: true,
    args: { input: t.arg({ type: ApiTokenCreateInput, required: true, description: 'The new token.' }) },
    description:
      'Creates an account or workspace token and returns the token with its value, once. Use it if you need the ID, expiry or role of the new token, or send several mutations in one request. `apiTokenCreate` returns only the value. Not available to apps.',
    resolve: async (_root, { input }, { actor }) => {
      const { token, value } = await createApiToken(actor, input)
      return { thing: token, secret: value }
    },
  }),
  apiTokenDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the record.' }) },
    description:
      'Revokes a token that the person made at once: an account, workspace or project token. Answers true. Not for apps.',
    resolve: async (_root, { id }, { actor }) => {
      await revokeApiToken(actor, id)
      return true
    },
  }),
  projectTokenCreate: t.field({
    type: ProjectTokenCreatePayload,
    nullable: true,
    args: { input: t.arg({ type: ProjectTokenCreateInput, required: true, description: 'The new token.' }) },
    description: `Makes a project token and answers its record with its value, this once. ${takes('project:manage-tokens')}. Not for apps.`,
    resolve: async (_root, { input }, { actor }) => {
      const { token, value } = await createProjectToken(actor, input)
      return { thing: token, secret: value }
    },
  }),
  projectTokenDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the record.' }) },
    description: `Revokes a project token at once, whoever made it. ${takes('project:manage-tokens')}. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeProjectToken(actor, id)
      return true
    },
  }),
}))
