import { AppError } from '@/lib/base/errors/app-error'
import type { OAuthClient, Webhook as WebhookRow } from '@/lib/generated/prisma/client'
import { builder } from '../builder'
import { defineLoader, type GraphQLContext, loadReferenced } from '../context'
import { readNodes } from '../nodes'
import { AppInstallation } from './app-installation'
import { Environment, environmentsById } from './environment'
import { Notification } from './notification'
import { OAuthApp } from './oauth-app'
import { DeletedProject, Project, projectsById } from './project'
import { Variable } from './variable'
import { Webhook, WebhookDelivery } from './webhook'
import { Workspace, workspacesById } from './workspace'
import { WorkspaceApp, WorkspaceAppUser } from './workspace-app'
import { Provider } from './workspace-identity-provider'
import { WorkspaceToken } from './workspace-token'

/**
 * Loaders for the object fields that this file adds next to ID fields. They apply the same access rules as
 * `node`.
 */
const appsNamed = defineLoader(
  (actor, ids) => readNodes('OAuthApp', actor, ids, null) as Promise<(OAuthClient | Error)[]>,
)
const webhooksNamed = defineLoader(
  (actor, ids) => readNodes('Webhook', actor, ids, null) as Promise<(WebhookRow | Error)[]>,
)

const toWorkspace = { type: Workspace, nullable: true } as const
const workspaceOf = ({ workspaceId }: { workspaceId: string }, _args: object, context: GraphQLContext) =>
  workspacesById(context).load(workspaceId)

builder.objectField(DeletedProject, 'workspace', (t) =>
  t.field({
    ...toWorkspace,
    description: 'The workspace that the project belonged to.',
    resolve: workspaceOf,
  }),
)

builder.objectField(Provider, 'workspace', (t) =>
  t.field({ ...toWorkspace, description: 'The workspace.', resolve: workspaceOf }),
)

builder.objectField(Notification, 'workspace', (t) =>
  t.field({
    ...toWorkspace,
    description: 'The workspace that the notification is about. Null if it concerns only the user.',
    resolve: ({ workspaceId }, _args, context) =>
      workspaceId === null ? null : workspacesById(context).load(workspaceId),
  }),
)

builder.objectField(Variable, 'environment', (t) =>
  t.field({
    type: Environment,
    nullable: true,
    description: 'The environment.',
    resolve: ({ environmentId }, _args, context) => environmentsById(context).load(environmentId),
  }),
)

builder.objectField(WorkspaceToken, 'environment', (t) =>
  t.field({
    type: Environment,
    nullable: true,
    description:
      'The only environment that the token can access. Null if the token is not limited to one environment.',
    resolve: ({ environmentId }, _args, context) =>
      environmentId === null ? null : environmentsById(context).load(environmentId),
  }),
)

builder.objectField(Webhook, 'oauthApp', (t) =>
  t.field({
    type: OAuthApp,
    nullable: true,
    description: 'The app that the webhook belongs to. Null if the webhook belongs to the workspace.',
    resolve: ({ clientId }, _args, context) => (clientId === null ? null : appsNamed(context).load(clientId)),
  }),
)

builder.objectField(WebhookDelivery, 'webhook', (t) =>
  t.field({
    type: Webhook,
    nullable: true,
    description: 'The webhook that the message was sent to.',
    resolve: ({ webhookId }, _args, context) => webhooksNamed(context).load(webhookId),
  }),
)

const someOrNone = { list: true, items: true } as const
const isGone = (found: unknown) => found instanceof AppError && found.code === 'NOT_FOUND'

/**
 * Loads projects. Omits projects that do not exist or that the caller cannot see, because approvals and
 * installations keep the IDs of deleted projects. An error replaces a project that cannot be read for another
 * reason.
 */
async function projectsNamed(ids: readonly string[], context: GraphQLContext) {
  const found = await projectsById(context).loadMany(ids)
  const there = ids.filter((_, index) => !isGone(found[index]))
  return loadReferenced(context, projectsById(context), there)
}

builder.objectField(WorkspaceApp, 'approvedProjects', (t) =>
  t.field({
    type: [Project],
    nullable: someOrNone,
    description:
      'The projects that the app is approved for, excluding deleted projects. Null if the approval covers the whole workspace or if the app has no approval.',
    resolve: ({ decision }, _args, context) =>
      decision?.decision === 'APPROVED' && decision.projectIds
        ? projectsNamed(decision.projectIds, context)
        : null,
  }),
)

builder.objectField(AppInstallation, 'projects', (t) =>
  t.field({
    type: [Project],
    nullable: someOrNone,
    description:
      'The projects that the installation covers, excluding deleted projects. Null if the installation covers the whole workspace.',
    resolve: ({ projectIds }, _args, context) => projectIds && projectsNamed(projectIds, context),
  }),
)

builder.objectField(WorkspaceAppUser, 'projects', (t) =>
  t.field({
    type: [Project],
    nullable: someOrNone,
    description: 'The workspace’s projects that the user selected individually.',
    resolve: ({ projects }, _args, context) =>
      projectsNamed(
        projects.map(({ id }) => id),
        context,
      ),
  }),
)
