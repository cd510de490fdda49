import { parsePage } from '@/lib/base/db/paging'
import { acceptInvitation } from '@/lib/features/workspaces/accept-invitation'
import { createInvitation, type NewInvitation } from '@/lib/features/workspaces/create-invitation'
import { listInvitations, revokeInvitation } from '@/lib/features/workspaces/list-invitations'
import type { Invitation as InvitationRow } from '@/lib/generated/prisma/client'
import { builder, describeRole, notForApps } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'
import { RoleEnum } from './scalars'
import { Workspace, workspacesById } from './workspace'

export const WorkspaceInvitation = builder.objectRef<InvitationRow>('WorkspaceInvitation').implement({
  interfaces: [Node],
  description: 'A pending invitation to a role in a workspace or in one of its projects.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the invitation.' }),
    workspaceId: t.exposeID('workspaceId', { description: 'The ID of the workspace.' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The ID of the project. Null if the invitation is to the whole workspace.',
    }),
    email: t.exposeString('email', { description: 'The email address that the invitation was sent to.' }),
    role: t.expose('role', { type: RoleEnum, description: 'The role that the invitation offers.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the invitation was sent.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the invitation expires.' }),
  }),
})

export const InvitationConnection = defineConnection('WorkspaceInvitation', WorkspaceInvitation)

const InvitationCreatePayload = builder
  .objectRef<NewInvitation>('WorkspaceInvitationCreatePayload')
  .implement({
    description: 'A new invitation.',
    fields: (t) => ({
      workspaceInvitation: t.expose('invitation', {
        type: WorkspaceInvitation,
        description: 'The invitation.',
      }),
      link: t.exposeString('link', {
        nullable: true,
        description:
          'The invitation link. It works once and is returned only here. Null for apps, because the invitation is sent only to the email address.',
      }),
      emailSent: t.exposeBoolean('mailed', {
        description:
          'Whether the link is sent to the email address. False if the instance does not send email or the inviter has not confirmed their own address.',
      }),
    }),
  })

const InvitationCreateInput = builder.inputType('WorkspaceInvitationCreateInput', {
  description: 'A new invitation to a workspace or to one project. Set either `workspaceId` or `projectId`.',
  fields: (t) => ({
    workspaceId: t.id({ description: 'The ID of the workspace to invite the user to.' }),
    projectId: t.id({
      description: 'The ID of the project to invite the user to. The user gets access only to this project.',
    }),
    email: t.string({ required: true, description: 'The email address to invite.' }),
    role: t.field({ type: RoleEnum, required: true, description: 'The role to offer.' }),
  }),
})

builder.queryFields((t) => ({
  workspaceInvitations: t.field({
    type: InvitationConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      withProjects: t.arg.boolean({
        description: 'Whether to include invitations to single projects in the workspace. Default: false.',
      }),
      ...pageArgs,
    },
    description: `The pending invitations to a workspace, oldest first. ${describeRole('workspace:manage-members')}.`,
    resolve: (_root, { workspaceId, withProjects, ...page }, { actor }) =>
      listInvitations(actor, { workspaceId, withProjects: withProjects === true }, parsePage(page)),
  }),
  projectInvitations: t.field({
    type: InvitationConnection,
    nullable: true,
    args: { projectId: t.arg.id({ required: true, description: 'The ID of the project.' }), ...pageArgs },
    description: `The pending invitations to a single project, oldest first. ${describeRole('project:manage-members')} in the project.`,
    resolve: (_root, { projectId, ...page }, { actor }) =>
      listInvitations(actor, { projectId }, parsePage(page)),
  }),
}))

builder.mutationFields((t) => ({
  workspaceInvitationCreate: t.field({
    type: InvitationCreatePayload,
    nullable: true,
    args: {
      input: t.arg({ type: InvitationCreateInput, required: true, description: 'The invitation to create.' }),
    },
    description: `Invites a user with a link that works once and expires after seven days. Replaces any earlier invitation to the same address. ${describeRole('workspace:manage-members')}.`,
    resolve: (_root, { input }, { actor }) => createInvitation(actor, input),
  }),
  workspaceInvitationRevoke: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the invitation.' }) },
    description: `Revokes an invitation. Returns true. ${describeRole('workspace:manage-members')}.`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeInvitation(actor, id)
      return true
    },
  }),
  workspaceInvitationAccept: t.field({
    type: Workspace,
    nullable: true,
    args: {
      token: t.arg.string({ required: true, description: 'The part of the link after `/invitations/`.' }),
    },
    description: `Accepts an invitation and returns the workspace, or null if the invitation is to a single project. ${notForApps}`,
    resolve: async (_root, { token }, context) => {
      const { id, projectOnly } = await acceptInvitation(context.actor, token)
      return projectOnly ? null : workspacesById(context).load(id)
    },
  }),
}))
