import { parsePage } from '@/lib/base/db/paging'
import { acceptInvitation } from '@/lib/features/workspaces/accept-invitation'
import { createInvitation, type NewInvitation } from '@/lib/features/workspaces/create-invitation'
import { listInvitations, revokeInvitation } from '@/lib/features/workspaces/list-invitations'
import type { Invitation as InvitationRow } from '@/lib/generated/prisma/client'
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'
import { RoleEnum } from './scalars'
import { Workspace, workspacesById } from './workspace'

/** An invitation. */
export const WorkspaceInvitation = builder.objectRef<InvitationRow>('WorkspaceInvitation').implement({
  interfaces: [Node],
  description: 'An offer of a role in a workspace, or in one project of it, that nobody has accepted yet.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    workspaceId: t.exposeID('workspaceId', { description: 'The workspace.' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The project, when the role is in it alone; null for the whole workspace.',
    }),
    email: t.exposeString('email', { description: 'Where the link was sent.' }),
    role: t.expose('role', { type: RoleEnum, description: 'The role it offers.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was sent.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be accepted.' }),
  }),
})

/** A page of invitations. */
export const InvitationConnection = defineConnection('WorkspaceInvitation', WorkspaceInvitation)

const InvitationCreatePayload = builder
  .objectRef<NewInvitation>('WorkspaceInvitationCreatePayload')
  .implement({
    description: 'An invitation just made.',
    fields: (t) => ({
      workspaceInvitation: t.expose('invitation', {
        type: WorkspaceInvitation,
        description: 'The invitation.',
      }),
      link: t.exposeString('link', {
        nullable: true,
        description:
          'The invitation link. It works once and is returned only here. Null for apps: the invitation goes to the email address only.',
      }),
      emailSent: t.exposeBoolean('mailed', {
        description:
          'Whether the link is sent to the email address. False if the instance sends no email or the inviter has not confirmed their own address.',
      }),
    }),
  })

const InvitationCreateInput = builder.inputType('WorkspaceInvitationCreateInput', {
  description: 'Whom to invite to what: to a workspace, or to one project. Name one of the two.',
  fields: (t) => ({
    workspaceId: t.id({ description: 'The workspace.' }),
    projectId: t.id({ description: 'The project, for someone from outside the workspace.' }),
    email: t.string({ required: true, description: 'Their email address.' }),
    role: t.field({ type: RoleEnum, required: true, description: 'The role they are offered.' }),
  }),
})

builder.queryFields((t) => ({
  workspaceInvitations: t.field({
    type: InvitationConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      withProjects: t.arg.boolean({
        description: 'Whether invitations to its projects alone are among them; not, unless said.',
      }),
      ...pageArgs,
    },
    description: `The open invitations to a workspace, oldest first. ${takes('workspace:manage-members')}.`,
    resolve: (_root, { workspaceId, withProjects, ...page }, { actor }) =>
      listInvitations(actor, { workspaceId, withProjects: withProjects === true }, parsePage(page)),
  }),
  projectInvitations: t.field({
    type: InvitationConnection,
    nullable: true,
    args: { projectId: t.arg.id({ required: true, description: 'The project.' }), ...pageArgs },
    description: `The open invitations to a project alone, oldest first. ${takes('project:manage-members')} there.`,
    resolve: (_root, { projectId, ...page }, { actor }) =>
      listInvitations(actor, { projectId }, parsePage(page)),
  }),
}))

builder.mutationFields((t) => ({
  workspaceInvitationCreate: t.field({
    type: InvitationCreatePayload,
    nullable: true,
    args: {
      input: t.arg({ type: InvitationCreateInput, required: true, description: 'Whom, and to what.' }),
    },
    description: `Invites someone by a link that works once, for seven days. ${takes('workspace:manage-members')}. An earlier invitation of the same address is replaced.`,
    resolve: (_root, { input }, { actor }) => createInvitation(actor, input),
  }),
  workspaceInvitationRevoke: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The invitation.' }) },
    description: `Takes an invitation back. ${takes('workspace:manage-members')}. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeInvitation(actor, id)
      return true
    },
  }),
  workspaceInvitationAccept: t.field({
    type: Workspace,
    nullable: true,
    args: {
      token: t.arg.string({ required: true, description: 'What follows `/invitations/` in the link.' }),
    },
    description:
      'Accepts an invitation and answers its workspace; null for one to a project alone. Not for apps.',
    resolve: async (_root, { token }, context) => {
      const { id, projectOnly } = await acceptInvitation(context.actor, token)
      return projectOnly ? null : workspacesById(context).load(id)
    },
  }),
}))
