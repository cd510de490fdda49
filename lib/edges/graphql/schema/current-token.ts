import { AppError } from '@/lib/base/errors/app-error'
import { type CurrentToken as Row, readCurrentToken } from '@/lib/features/api-tokens/list-api-tokens'
import type { Usage } from '@/lib/features/figures/count-usage'
import { type Actor, isApp, type OAuthActor } from '@/lib/policy/actor'
import { onlyEnvironment } from '@/lib/policy/authorize'
import type { Caller } from '@/lib/policy/bearer'
import { builder } from '../builder'
import { loadReferenced } from '../context'
import { Environment, environmentsById } from './environment'
import { Project, projectsById } from './project'
import { ActorKind, RoleEnum } from './scalars'
import { Workspace, workspacesById } from './workspace'

const RateLimit = builder.objectRef<Usage>('RateLimit').implement({
  description: 'The request limit of a token.',
  fields: (t) => ({
    limit: t.exposeInt('limit', { description: 'The number of requests allowed per hour.' }),
    remaining: t.exposeInt('remaining', { description: 'The number of requests left after this one.' }),
    resetsAt: t.field({
      type: 'DateTime',
      description: 'When the full limit is available again.',
      resolve: ({ resetsAt }) => new Date(resetsAt * 1000),
    }),
  }),
})

type Allowed = OAuthActor & { authorizationId: string }

const isAllowed = (actor: Actor): actor is Allowed => actor.kind === 'oauth' && actor.authorizationId !== null

const TokenAuthorization = builder.objectRef<Allowed>('TokenAuthorization').implement({
  description: 'The access that the user granted to the app that uses a token.',
  fields: (t) => ({
    id: t.exposeID('authorizationId', { description: 'The ID of the authorization.' }),
    clientId: t.exposeID('clientId', { description: 'The client ID of the app.' }),
    workspaceIds: t.exposeIDList('workspaceIds', { description: 'The IDs of the selected workspaces.' }),
    projectIds: t.exposeIDList('projectIds', {
      description:
        'The IDs of the selected projects, in addition to the projects in the selected workspaces.',
    }),
    workspaces: t.field({
      type: [Workspace],
      nullable: { list: true, items: true },
      description: 'The selected workspaces. An item is null, with an error, if the user lost access to it.',
      resolve: ({ workspaceIds }, _args, context) =>
        loadReferenced(context, workspacesById(context), workspaceIds),
    }),
    projects: t.field({
      type: [Project],
      nullable: { list: true, items: true },
      description: 'The selected projects. An item is null, with an error, if the user lost access to it.',
      resolve: ({ projectIds }, _args, context) => loadReferenced(context, projectsById(context), projectIds),
    }),
  }),
})

const CurrentToken = builder.objectRef<Row & { caller: Caller; usage: Usage }>('CurrentToken').implement({
  description: 'The token that was sent with this request, with its access and expiry.',
  fields: (t) => ({
    kind: t.field({
      type: ActorKind,
      description: 'The kind of token.',
      resolve: ({ caller }) => caller.actor.kind,
    }),
    id: t.id({
      nullable: true,
      description: 'The ID of the token. Null for an access token of an app.',
      resolve: ({ caller: { actor } }) => ('tokenId' in actor ? actor.tokenId : null),
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of the token. Null for an access token of an app.',
    }),
    scopes: t.stringList({
      nullable: true,
      description: 'The scopes of the token. Null for an API token, which has a role instead.',
      resolve: ({ caller: { actor } }) => (isApp(actor) ? [...actor.scopes] : null),
    }),
    role: t.field({
      type: RoleEnum,
      nullable: true,
      description:
        'The highest role that the token can use, even if its user has a higher role. Null for an access token of an app, which has scopes instead.',
      resolve: ({ caller: { actor } }) => ('role' in actor ? actor.role : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the token was created.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token expires. Null if it never expires.',
    }),
    workspace: t.field({
      type: Workspace,
      nullable: true,
      description:
        'The only workspace that the token can access. Set for a workspace token, an SSO-managed token, and a token of an installation that covers the whole workspace. Null for any other token.',
      resolve: ({ caller: { actor } }, _args, context) => {
        if (actor.kind === 'workspace-token') return workspacesById(context).load(actor.workspaceId)
        const [given] = isApp(actor) && !isAllowed(actor) ? actor.workspaceIds : []
        return given ? workspacesById(context).load(given) : null
      },
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The only project that the token can access. Null if the token is not a project token.',
      resolve: ({ caller: { actor } }, _args, context) =>
        actor.kind === 'project-token' ? projectsById(context).load(actor.projectId) : null,
    }),
    environment: t.field({
      type: Environment,
      nullable: true,
      description:
        'The only environment that the token can access. Null if the token can access all environments of its project or is not limited to a project.',
      resolve: ({ caller: { actor } }, _args, context) => {
        const id = onlyEnvironment(actor)
        return id === null ? null : environmentsById(context).load(id)
      },
    }),
    authorization: t.field({
      type: TokenAuthorization,
      nullable: true,
      description:
        'The access that the user granted to the app. Null for an API token, an SSO-managed token, and a token of an app installation.',
      resolve: ({ caller: { actor } }) => (isAllowed(actor) ? actor : null),
    }),
    installationId: t.id({
      nullable: true,
      description:
        'The ID of the app installation that the token acts for. Null if the token does not act for an installation.',
      resolve: ({ caller: { actor } }) => (actor.kind === 'installation' ? actor.installationId : null),
    }),
    rateLimit: t.expose('usage', { type: RateLimit, description: 'The request limit of the token.' }),
  }),
})

builder.queryField('currentToken', (t) =>
  t.field({
    type: CurrentToken,
    nullable: true,
    description: 'The token that was sent with this request. Available to every token.',
    resolve: async (_root, _args, { caller, usage }) => {
      const row = await readCurrentToken(caller)
      if (!row) throw new AppError('UNAUTHENTICATED')
      return { ...row, caller, usage }
    },
  }),
)
