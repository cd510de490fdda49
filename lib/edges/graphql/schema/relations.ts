import { pageOfAll, parsePage, parseTextPage } from '@/lib/base/db/paging'
import { projectTokensOf, workspaceTokensOf } from '@/lib/features/api-tokens/list-api-tokens'
import { listAppsOf, placeOfApp } from '@/lib/features/apps/read-apps'
import { eventsOf } from '@/lib/features/audit/list-events'
import { variablesOf } from '@/lib/features/projects/read-variables'
import { deliveriesOf, webhooksOf } from '@/lib/features/webhooks/list-webhooks'
import { invitationsOf } from '@/lib/features/workspaces/list-invitations'
import { findMembers } from '@/lib/features/workspaces/list-members'
import type { Actor } from '@/lib/policy/actor'
import type { WorkspacePermission } from '@/lib/policy/permissions'
import { requireProjects, requireWorkspaces } from '@/lib/policy/require'
import { builder, describeRole } from '../builder'
import { defineListIn, pageArgs } from '../connection'
import { defineLoader, loadReferenced } from '../context'
import { ApiToken, ProjectTokenConnection } from './api-token'
import { AuditLog, AuditLogConnection } from './audit-log'
import { AuthorizedApp } from './authorized-app'
import { Environment } from './environment'
import { InvitationConnection, WorkspaceInvitation } from './invitation'
import { WorkspaceMember } from './member'
import { OAuthAppConnection } from './oauth-app'
import { Project, projectsById } from './project'
import { VariableConnection } from './variable'
import { Webhook, WebhookConnection, WebhookDeliveryConnection } from './webhook'
import { Workspace, workspacesById } from './workspace'
import { WorkspaceToken, WorkspaceTokenConnection } from './workspace-token'

// This file defines the fields that connect two types and belong in neither type's own file.

const inWorkspaces = (permission: WorkspacePermission) => (actor: Actor, ids: readonly string[]) =>
  requireWorkspaces(actor, permission, ids)

const membersByPlace = defineLoader((actor, places) =>
  findMembers(
    actor,
    places.map((place) => {
      const [workspaceId = '', userId = ''] = place.split(' ')
      return { workspaceId, userId }
    }),
  ),
)

const webhooksIn = defineListIn(webhooksOf, inWorkspaces('workspace:manage-webhooks'))
const invitationsIn = defineListIn(invitationsOf, inWorkspaces('workspace:manage-members'))
const workspaceTokensIn = defineListIn(workspaceTokensOf, inWorkspaces('workspace:manage-tokens'))
const eventsIn = defineListIn(eventsOf, inWorkspaces('workspace:read-audit'))
const deliveriesIn = defineListIn(deliveriesOf)
const variablesIn = defineListIn(variablesOf)
const tokensIn = defineListIn(projectTokensOf, (actor, ids) =>
  requireProjects(actor, 'project:manage-tokens', ids),
)
const appsIn = defineLoader(async (actor, ids, most) => {
  const decided = await requireWorkspaces(actor, 'workspace:manage-apps', ids)
  const open = ids.filter((_, index) => !(decided[index] instanceof Error))
  const apps = open.length === 0 ? [] : await listAppsOf(open, most)
  return ids.map((id, index) => {
    const refused = decided[index]
    return refused instanceof Error ? refused : apps.filter(({ workspaceId }) => workspaceId === id)
  })
})

builder.objectFields(Workspace, (t) => ({
  webhooks: t.field({
    type: WebhookConnection,
    nullable: true,
    args: pageArgs,
    description: `The webhooks of the workspace, oldest first. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: ({ id }, args, context) => webhooksIn(context, id, parsePage(args)),
  }),
  oauthApps: t.field({
    type: OAuthAppConnection,
    nullable: true,
    args: pageArgs,
    description: `The OAuth apps of the workspace, ordered by name. ${describeRole('workspace:manage-apps')}.`,
    resolve: async ({ id }, args, context) =>
      pageOfAll(await appsIn(context).load(id), placeOfApp, parseTextPage(args)),
  }),
  tokens: t.field({
    type: WorkspaceTokenConnection,
    nullable: true,
    args: pageArgs,
    description: `The tokens of the workspace and its projects, regardless of who created them, oldest first. ${describeRole('workspace:manage-tokens')}.`,
    resolve: ({ id }, args, context) => workspaceTokensIn(context, id, parsePage(args)),
  }),
  invitations: t.field({
    type: InvitationConnection,
    nullable: true,
    args: pageArgs,
    description: `The pending invitations to the workspace and to its projects, oldest first. ${describeRole('workspace:manage-members')}.`,
    resolve: ({ id }, args, context) => invitationsIn(context, id, parsePage(args)),
  }),
  auditLogs: t.field({
    type: AuditLogConnection,
    nullable: true,
    args: pageArgs,
    description: `The audit log of the workspace, newest first. ${describeRole('workspace:read-audit')}.`,
    resolve: ({ id }, args, context) => eventsIn(context, id, parsePage(args)),
  }),
}))

builder.objectField(Project, 'tokens', (t) =>
  t.field({
    type: ProjectTokenConnection,
    nullable: true,
    args: pageArgs,
    description: `The project’s tokens, regardless of who created them, oldest first. ${describeRole('project:manage-tokens')}.`,
    resolve: ({ id }, args, context) => tokensIn(context, id, parsePage(args)),
  }),
)

builder.objectFields(Environment, (t) => ({
  project: t.field({
    type: Project,
    nullable: true,
    description: 'The project.',
    resolve: ({ projectId }, _args, context) => projectsById(context).load(projectId),
  }),
  variables: t.field({
    type: VariableConnection,
    nullable: true,
    args: pageArgs,
    description: 'The variables of the environment, oldest first.',
    resolve: async ({ id, projectId }, args, context) => {
      const [project, slice] = await Promise.all([
        projectsById(context).load(projectId),
        variablesIn(context, id, parsePage(args)),
      ])
      return { ...slice, rows: slice.rows.map((row) => ({ ...row, project })) }
    },
  }),
}))

const workspaceField = { type: Workspace, nullable: true, description: 'The workspace.' } as const
const projectField = { type: Project, nullable: true } as const
const memberField = {
  type: WorkspaceMember,
  nullable: true,
  description:
    'The user. Null if no user was involved, or if the user is no longer a member of the workspace.',
} as const

builder.objectFields(Webhook, (t) => ({
  workspace: t.field({
    ...workspaceField,
    resolve: ({ workspaceId }, _args, context) => workspacesById(context).load(workspaceId),
  }),
  deliveries: t.field({
    type: WebhookDeliveryConnection,
    nullable: true,
    args: pageArgs,
    description: 'The deliveries of the webhook, newest first.',
    resolve: ({ id }, args, context) => deliveriesIn(context, id, parsePage(args)),
  }),
}))

builder.objectFields(WorkspaceInvitation, (t) => ({
  workspace: t.field({
    ...workspaceField,
    resolve: ({ workspaceId }, _args, context) => workspacesById(context).load(workspaceId),
  }),
  project: t.field({
    ...projectField,
    description: 'The project. Null if the invitation is to the whole workspace.',
    resolve: ({ projectId }, _args, context) =>
      projectId === null ? null : projectsById(context).load(projectId),
  }),
}))

builder.objectField(ApiToken, 'workspace', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    description: 'The only workspace that the token can access. Null for an account token.',
    resolve: ({ workspaceId }, _args, context) =>
      workspaceId === null ? null : workspacesById(context).load(workspaceId),
  }),
)

builder.objectFields(WorkspaceToken, (t) => ({
  project: t.field({
    ...projectField,
    description:
      'The only project that the token can access. Null if the token can access the whole workspace.',
    resolve: ({ projectId }, _args, context) =>
      projectId === null ? null : projectsById(context).load(projectId),
  }),
  user: t.field({
    type: WorkspaceMember,
    nullable: true,
    description:
      'The user who created the token. The token acts for this user. Null if they are not a member of the workspace, even if they have a role in the token’s project.',
    resolve: ({ workspaceId, project, userId }, _args, context) =>
      membersByPlace(context).load(`${workspaceId ?? project?.workspaceId} ${userId}`),
  }),
}))

builder.objectField(AuditLog, 'user', (t) =>
  t.field({
    ...memberField,
    resolve: ({ workspaceId, userId }, _args, context) =>
      workspaceId && userId ? membersByPlace(context).load(`${workspaceId} ${userId}`) : null,
  }),
)

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

builder.objectFields(AuthorizedApp, (t) => ({
  workspaces: t.field({
    type: [Workspace],
    nullable: { list: true, items: true },
    description: 'The workspaces that the app can access.',
    resolve: ({ workspaces }, _args, context) =>
      loadReferenced(context, workspacesById(context), idsOf(workspaces)),
  }),
  projects: t.field({
    type: [Project],
    nullable: { list: true, items: true },
    description: 'The projects that the app can access, in addition to the projects in its workspaces.',
    resolve: ({ projects }, _args, context) =>
      loadReferenced(context, projectsById(context), idsOf(projects)),
  }),
}))
