import { AppError } from '@/lib/base/errors/app-error'
import { type CurrentToken as Row, readCurrentToken } from '@/lib/features/api-tokens/list-api-tokens'
import type { Usage } from '@/lib/features/figures/count-usage'
import { type Actor, isApp, type OAuthActor } from '@/lib/policy/actor'
import { onlyEnvironment } from '@/lib/policy/authorize'
import type { Caller } from '@/lib/policy/bearer'
import { builder } from '../builder'
import { loadNamed } from '../context'
import { Environment, environmentsById } from './environment'
import { Project, projectsById } from './project'
import { ActorKind, RoleEnum } from './scalars'
import { Workspace, workspacesById } from './workspace'

const RateLimit = builder.objectRef<Usage>('RateLimit').implement({
  description: 'How many requests a token may still send.',
  fields: (t) => ({
    limit: t.exposeInt('limit', { description: 'Requests an hour.' }),
    remaining: t.exposeInt('remaining', { description: 'Those that are left, this one counted.' }),
    resetsAt: t.field({
      type: 'DateTime',
      description: 'When there are as many as at first again.',
      resolve: ({ resetsAt }) => new Date(resetsAt * 1000),
    }),
  }),
})

type Allowed = OAuthActor & { authorizationId: string }

const isAllowed = (actor: Actor): actor is Allowed => actor.kind === 'oauth' && actor.authorizationId !== null

const TokenAuthorization = builder.objectRef<Allowed>('TokenAuthorization').implement({
  description: 'What the person allowed the app that a token was issued to.',
  fields: (t) => ({
    id: t.exposeID('authorizationId', { description: 'The id of the authorization.' }),
    clientId: t.exposeID('clientId', { description: "The app's client id." }),
    workspaceIds: t.exposeIDList('workspaceIds', { description: 'The workspaces that were selected.' }),
    projectIds: t.exposeIDList('projectIds', {
      description: 'The projects that were selected, besides those of the workspaces.',
    }),
    workspaces: t.field({
      type: [Workspace],
      nullable: { list: true, items: true },
      description: 'The workspaces that were selected; null, with an error, for what the person has lost.',
      resolve: ({ workspaceIds }, _args, context) =>
        loadNamed(context, workspacesById(context), workspaceIds),
    }),
    projects: t.field({
      type: [Project],
      nullable: { list: true, items: true },
      description: 'The projects that were selected, likewise.',
      resolve: ({ projectIds }, _args, context) => loadNamed(context, projectsById(context), projectIds),
    }),
  }),
})

const CurrentToken = builder.objectRef<Row & { caller: Caller; usage: Usage }>('CurrentToken').implement({
  description: 'The token that was sent with this request: what it is, what it reaches, and until when.',
  fields: (t) => ({
    kind: t.field({
      type: ActorKind,
      description: 'What it is.',
      resolve: ({ caller }) => caller.actor.kind,
    }),
    id: t.id({
      nullable: true,
      description: 'The id of its record; null for an access token of an app.',
      resolve: ({ caller: { actor } }) => ('tokenId' in actor ? actor.tokenId : null),
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'What its maker calls it; null for an access token.',
    }),
    scopes: t.stringList({
      nullable: true,
      description: 'What an app may do with it; null for an API token, which has a role instead.',
      resolve: ({ caller: { actor } }) => (isApp(actor) ? [...actor.scopes] : null),
    }),
    role: t.field({
      type: RoleEnum,
      nullable: true,
      description:
        "The most it may do, whatever role its person has; null for an app's, which has scopes instead.",
      resolve: ({ caller: { actor } }) => ('role' in actor ? actor.role : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stops working; null for never.',
    }),
    workspace: t.field({
      type: Workspace,
      nullable: true,
      description:
        'The one workspace it reaches: of a workspace token, of an installation for the whole workspace, or of an SSO-managed app; null for any other.',
      resolve: ({ caller: { actor } }, _args, context) => {
        if (actor.kind === 'workspace-token') return workspacesById(context).load(actor.workspaceId)
        const [given] = isApp(actor) && !isAllowed(actor) ? actor.workspaceIds : []
        return given ? workspacesById(context).load(given) : null
      },
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The one project it reaches; null for a token of another kind than project tokens.',
      resolve: ({ caller: { actor } }, _args, context) =>
        actor.kind === 'project-token' ? projectsById(context).load(actor.projectId) : null,
    }),
    environment: t.field({
      type: Environment,
      nullable: true,
      description:
        'The one environment of the project that it reaches; null for a token that reaches no project, or all of its environments.',
      resolve: ({ caller: { actor } }, _args, context) => {
        const id = onlyEnvironment(actor)
        return id === null ? null : environmentsById(context).load(id)
      },
    }),
    authorization: t.field({
      type: TokenAuthorization,
      nullable: true,
      description: 'What the user authorized for the app; null for an API token and for an SSO-managed app.',
      resolve: ({ caller: { actor } }) => (isAllowed(actor) ? actor : null),
    }),
    installationId: t.id({
      nullable: true,
      description: 'The installation that it acts for; null for any other token.',
      resolve: ({ caller: { actor } }) => (actor.kind === 'installation' ? actor.installationId : null),
    }),
    rateLimit: t.expose('usage', { type: RateLimit, description: 'How many requests it may still send.' }),
  }),
})

builder.queryField('currentToken', (t) =>
  t.field({
    type: CurrentToken,
    nullable: true,
    description: 'The token that was sent with this request. Every token may ask.',
    resolve: async (_root, _args, { caller, usage }) => {
      const row = await readCurrentToken(caller)
      if (!row) throw new AppError('UNAUTHENTICATED')
      return { ...row, caller, usage }
    },
  }),
)
