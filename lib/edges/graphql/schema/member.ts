import { parsePage } from '@/lib/base/db/paging'
import { pictureAddress } from '@/lib/features/pictures/address'
import { readProjectMember } from '@/lib/features/projects/list-members'
import { changeMemberRole } from '@/lib/features/workspaces/change-member'
import { type MemberRow, pageMembers, readMember } from '@/lib/features/workspaces/list-members'
import { leaveWorkspace, removeMember } from '@/lib/features/workspaces/remove-member'
import { removeProjectMember, setProjectMember } from '@/lib/features/workspaces/set-project-member'
import { authorizeMemberField } from '@/lib/policy/authorize'
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { RoleEnum } from './scalars'

const defineMember = (name: string, description: string, resource: string) =>
  builder.objectRef<MemberRow>(name).implement({
    description,
    fields: (t) => ({
      id: t.exposeID('id', { description: "The person's id." }),
      name: t.string({
        nullable: true,
        description:
          "The person's name. Apps need a `workspace:*` scope and the workspace selected; the name of the person who let them in takes `profile` alone.",
        resolve: (member, _args, { actor }) => {
          authorizeMemberField(actor, 'name', member)
          return member.name
        },
      }),
      email: t.string({
        nullable: true,
        description:
          "The person's email address. Apps need `workspace:admin`, the workspace selected, and a person who is an admin there; the address of the person who let them in takes `email` alone.",
        resolve: (member, _args, { actor }) => {
          authorizeMemberField(actor, 'email', member)
          return member.email
        },
      }),
      avatar: t.string({
        nullable: true,
        description:
          "The address of the person's picture; null without one. Apps need the same as for the name.",
        resolve: (member, _args, { actor }) => {
          authorizeMemberField(actor, 'name', member)
          return member.avatarUrl && pictureAddress(member.avatarUrl)
        },
      }),
      role: t.expose('role', { type: RoleEnum, description: `Their role in the ${resource}.` }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        description: 'Since when they have a role here.',
      }),
    }),
  })

/** A person in a workspace. */
export const WorkspaceMember = defineMember(
  'WorkspaceMember',
  'A person with a role in a workspace, which carries over to its projects.',
  'workspace',
)

/** A person in a project. */
export const ProjectMember = defineMember(
  'ProjectMember',
  'A person with a role in a project itself. Those who reach it through its workspace are members of the workspace.',
  'project',
)

const WorkspaceMemberConnection = defineConnection('WorkspaceMember', WorkspaceMember)

builder.queryField('workspaceMembers', (t) =>
  t.field({
    type: WorkspaceMemberConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The id of the workspace.' }),
      ...pageArgs,
    },
    description:
      'The people with a role in a workspace, in pages, in the order of their ids. `Workspace.members` has the first of them. Apps need a `workspace:*` scope, and the workspace selected.',
    resolve: (_root, { workspaceId, ...page }, { actor }) => pageMembers(actor, workspaceId, parsePage(page)),
  }),
)

const WorkspaceMemberUpdateInput = builder.inputType('WorkspaceMemberUpdateInput', {
  description: "A member's new role in a workspace.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The workspace.' }),
    userId: t.id({ required: true, description: 'The member.' }),
    role: t.field({ type: RoleEnum, required: true, description: 'The new role.' }),
  }),
})

const ProjectMemberUpsertInput = builder.inputType('ProjectMemberUpsertInput', {
  description: "A person's role in a project itself.",
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The project.' }),
    userId: t.id({
      required: true,
      description: 'A member of the project or of its workspace; others are invited.',
    }),
    role: t.field({ type: RoleEnum, required: true, description: 'Their role from now on.' }),
  }),
})

const yes = async (work: Promise<unknown>): Promise<boolean> => {
  await work
  return true
}

builder.mutationFields((t) => ({
  workspaceMemberUpdate: t.field({
    type: WorkspaceMember,
    nullable: true,
    args: {
      input: t.arg({ type: WorkspaceMemberUpdateInput, required: true, description: 'Who, and what role.' }),
    },
    description: `Gives a member of a workspace another role. ${takes('workspace:manage-members')}. The last admin keeps the role.`,
    resolve: async (_root, { input }, { actor }) => {
      await changeMemberRole(actor, input)
      return readMember(actor, input.workspaceId, input.userId)
    },
  }),
  workspaceMemberRemove: t.boolean({
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      userId: t.arg.id({ required: true, description: 'The member.' }),
    },
    description: `Takes a role in a workspace away. ${takes('workspace:manage-members')}. The last admin cannot be removed. Answers true.`,
    resolve: (_root, { workspaceId, userId }, { actor }) => yes(removeMember(actor, workspaceId, userId)),
  }),
  workspaceLeave: t.boolean({
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }) },
    description: 'Leaves a workspace. The last admin cannot. Answers true. Not for apps.',
    resolve: (_root, { workspaceId }, { actor }) => yes(leaveWorkspace(actor, workspaceId)),
  }),
  projectMemberUpsert: t.field({
    type: ProjectMember,
    nullable: true,
    args: {
      input: t.arg({ type: ProjectMemberUpsertInput, required: true, description: 'Who, and what role.' }),
    },
    description: `Gives someone a role in a project itself. ${takes('project:manage-members')} there.`,
    resolve: async (_root, { input }, { actor }) => {
      await setProjectMember(actor, input)
      return readProjectMember(actor, input.projectId, input.userId)
    },
  }),
  projectMemberRemove: t.boolean({
    nullable: true,
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      userId: t.arg.id({ required: true, description: 'The member.' }),
    },
    description: `Takes a role in a project itself away; a member of the workspace still reaches it. ${takes('project:manage-members')} there, except for giving up one’s own. Answers true.`,
    resolve: (_root, { projectId, userId }, { actor }) => yes(removeProjectMember(actor, projectId, userId)),
  }),
}))
