import { parsePage } from '@/lib/base/db/paging'
import { pictureAddress } from '@/lib/features/pictures/address'
import { readProjectMember } from '@/lib/features/projects/list-members'
import { changeMemberRole } from '@/lib/features/workspaces/change-member'
import { type MemberRow, pageMembers, readMember } from '@/lib/features/workspaces/list-members'
import { leaveWorkspace, removeMember } from '@/lib/features/workspaces/remove-member'
import { removeProjectMember, setProjectMember } from '@/lib/features/workspaces/set-project-member'
import { authorizeMemberField } from '@/lib/policy/authorize'
import { builder, describeRole, notForApps } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { RoleEnum } from './scalars'

const defineMember = (name: string, description: string, resource: string) =>
  builder.objectRef<MemberRow>(name).implement({
    description,
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The ID of the user.' }),
      name: t.string({
        nullable: true,
        description:
          'The user’s name. Apps need a `workspace:*` scope and access to the workspace. For the user who authorized the app, the `profile` scope is sufficient.',
        resolve: (member, _args, { actor }) => {
          authorizeMemberField(actor, 'name', member)
          return member.name
        },
      }),
      email: t.string({
        nullable: true,
        description:
          'The user’s email address. Apps need the `workspace:admin` scope, access to the workspace, and a user who is a workspace admin. For the user who authorized the app, the `email` scope is sufficient.',
        resolve: (member, _args, { actor }) => {
          authorizeMemberField(actor, 'email', member)
          return member.email
        },
      }),
      avatar: t.string({
        nullable: true,
        description:
          'The URL of the user’s picture. Null if there is none. Apps need the same access as for `name`.',
        resolve: (member, _args, { actor }) => {
          authorizeMemberField(actor, 'name', member)
          return member.avatarUrl && pictureAddress(member.avatarUrl)
        },
      }),
      role: t.expose('role', { type: RoleEnum, description: `The user’s role in the ${resource}.` }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        description: 'When the user received access.',
      }),
    }),
  })

export const WorkspaceMember = defineMember(
  'WorkspaceMember',
  'A user with a role in a workspace. The role also applies to its projects.',
  'workspace',
)

export const ProjectMember = defineMember(
  'ProjectMember',
  'A user with a direct role in a project. Users who have access only through the workspace are not included.',
  'project',
)

const WorkspaceMemberConnection = defineConnection('WorkspaceMember', WorkspaceMember)

builder.queryField('workspaceMembers', (t) =>
  t.field({
    type: WorkspaceMemberConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      ...pageArgs,
    },
    description:
      'The members of a workspace, ordered by ID. `Workspace.members` returns only the first ones. Apps need a `workspace:*` scope and access to the workspace.',
    resolve: (_root, { workspaceId, ...page }, { actor }) => pageMembers(actor, workspaceId, parsePage(page)),
  }),
)

const WorkspaceMemberUpdateInput = builder.inputType('WorkspaceMemberUpdateInput', {
  description: 'A new role for a member of a workspace.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The ID of the workspace.' }),
    userId: t.id({ required: true, description: 'The user ID of the member.' }),
    role: t.field({ type: RoleEnum, required: true, description: 'The new role.' }),
  }),
})

const ProjectMemberUpsertInput = builder.inputType('ProjectMemberUpsertInput', {
  description: 'A direct role for a user in a project.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The ID of the project.' }),
    userId: t.id({
      required: true,
      description:
        'The ID of the user, who must be a member of the project or of its workspace. To add other users, invite them.',
    }),
    role: t.field({ type: RoleEnum, required: true, description: 'The new role.' }),
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
      input: t.arg({
        type: WorkspaceMemberUpdateInput,
        required: true,
        description: 'The member and the new role.',
      }),
    },
    description: `Changes the role of a member of a workspace. The last admin cannot lose the ADMIN role. ${describeRole('workspace:manage-members')}.`,
    resolve: async (_root, { input }, { actor }) => {
      await changeMemberRole(actor, input)
      return readMember(actor, input.workspaceId, input.userId)
    },
  }),
  workspaceMemberRemove: t.boolean({
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      userId: t.arg.id({ required: true, description: 'The user ID of the member.' }),
    },
    description: `Removes a member from a workspace. The last admin cannot be removed. Returns true. ${describeRole('workspace:manage-members')}.`,
    resolve: (_root, { workspaceId, userId }, { actor }) => yes(removeMember(actor, workspaceId, userId)),
  }),
  workspaceLeave: t.boolean({
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }) },
    description: `Removes the user from a workspace. The last admin cannot leave. Returns true. ${notForApps}`,
    resolve: (_root, { workspaceId }, { actor }) => yes(leaveWorkspace(actor, workspaceId)),
  }),
  projectMemberUpsert: t.field({
    type: ProjectMember,
    nullable: true,
    args: {
      input: t.arg({ type: ProjectMemberUpsertInput, required: true, description: 'The user and the role.' }),
    },
    description: `Sets a user’s direct role in a project. ${describeRole('project:manage-members')} in the project.`,
    resolve: async (_root, { input }, { actor }) => {
      await setProjectMember(actor, input)
      return readProjectMember(actor, input.projectId, input.userId)
    },
  }),
  projectMemberRemove: t.boolean({
    nullable: true,
    args: {
      projectId: t.arg.id({ required: true, description: 'The ID of the project.' }),
      userId: t.arg.id({ required: true, description: 'The user ID of the member.' }),
    },
    description: `Removes a user’s direct role in a project. Workspace members keep the access from their workspace role. Returns true. ${describeRole('project:manage-members')} in the project, except to remove your own role.`,
    resolve: (_root, { projectId, userId }, { actor }) => yes(removeProjectMember(actor, projectId, userId)),
  }),
}))
