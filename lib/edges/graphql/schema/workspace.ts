import { maxPageSize, parsePage } from '@/lib/base/db/paging'
import { requireTwoFactorInWorkspace } from '@/lib/features/identity/two-factor/require-in-workspace'
import { countProjectsOf, listProjects } from '@/lib/features/projects/list-projects'
import { createWorkspace, updateWorkspace } from '@/lib/features/workspaces/create-workspace'
import { deleteWorkspace } from '@/lib/features/workspaces/delete-workspace'
import { listMembers } from '@/lib/features/workspaces/list-members'
import {
  listExternalWorkspaces,
  type ExternalWorkspace as Row,
} from '@/lib/features/workspaces/list-workspaces'
import { authorizeWorkspace, roleOfActorInWorkspace } from '@/lib/policy/authorize'
import { requireWorkspace, requireWorkspaces, rightsIn, type WorkspaceRow } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { builder, compatibility, describeRole, notForApps } from '../builder'
import { pageArgs } from '../connection'
import { defineLoader, definePageLoader } from '../context'
import { Node } from '../nodes'
import { WorkspaceMember } from './member'
import { Project, ProjectConnection } from './project'
import { RoleEnum } from './scalars'

const projectsOf = definePageLoader(listProjects)
const projectCounts = defineLoader(countProjectsOf)
const membersOf = defineLoader((actor, ids, most) => listMembers(actor, ids, maxPageSize, most))

/**
 * Loads workspaces by ID, for rows that refer to them. An Error replaces a workspace that the caller cannot
 * read.
 */
export const workspacesById = defineLoader((actor, ids) => requireWorkspaces(actor, 'workspace:read', ids))

export const Workspace = builder.objectRef<WorkspaceRow>('Workspace')

const Team = builder.objectRef<{ id: string }>('Team').implement({
  description: `${compatibility} A workspace under another name.`,
  fields: (t) => ({ id: t.exposeID('id', { description: 'The ID of the workspace.' }) }),
})

Workspace.implement({
  interfaces: [Node],
  description: 'A group of users and their projects.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the workspace. It never changes.' }),
    name: t.exposeString('name', { description: 'The name of the workspace.' }),
    slug: t.exposeString('slug', { description: 'The short name of the workspace in URLs.' }),
    role: t.field({
      type: RoleEnum,
      description:
        'The caller’s role in the workspace: the user’s role, unless the token limits it to a lower one.',
      resolve: (workspace, _args, { actor }) => roleOfActorInWorkspace(actor, rightsIn(workspace)) as Role,
    }),
    requiresTwoFactor: t.exposeBoolean('requireTwoFactor', {
      description: 'Whether users must sign in with two-factor authentication to access the workspace.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the workspace was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the workspace was last changed.',
    }),
    team: t.field({
      type: Team,
      nullable: true,
      description: `${compatibility} The workspace itself.`,
      resolve: ({ id }) => ({ id }),
    }),
    members: t.field({
      type: [WorkspaceMember],
      nullable: true,
      description: `The members of the workspace, oldest membership first. Maximum: ${maxPageSize}. \`workspaceMembers\` returns all of them, in pages.`,
      resolve: (workspace, _args, context) => {
        authorizeWorkspace(context.actor, 'workspace:read-members', workspace.id, rightsIn(workspace))
        return membersOf(context).load(workspace.id)
      },
    }),
    projects: t.field({
      type: ProjectConnection,
      nullable: true,
      args: pageArgs,
      description: 'The projects of the workspace, oldest first.',
      resolve: async (workspace, args, context) => ({
        ...(await projectsOf(context, parsePage(args)).load(workspace.id)),
        count: () => projectCounts(context).load(workspace.id),
      }),
    }),
  }),
})

builder.objectField(Project, 'workspace', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    description:
      'The workspace of the project. Null, with an error, for users outside the workspace and for apps that can access only the project.',
    resolve: (project, _args, context) => workspacesById(context).load(project.workspaceId),
  }),
)

builder.queryField('workspace', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }) },
    description: 'A workspace. Apps need a `workspace:*` scope and access to the workspace.',
    resolve: (_root, { workspaceId }, { actor }) => requireWorkspace(actor, 'workspace:read', workspaceId),
  }),
)

const WorkspaceCreateInput = builder.inputType('WorkspaceCreateInput', {
  description: 'A new workspace.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name of the workspace: 1 to 80 characters.' }),
  }),
})

const WorkspaceUpdateInput = builder.inputType('WorkspaceUpdateInput', {
  description: 'Changes to a workspace. Omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'The new name: 1 to 80 characters.' }),
    slug: t.string({ description: 'The new short name in URLs: lowercase letters, digits, and hyphens.' }),
  }),
})

const idArg = { required: true, description: 'The ID of the workspace.' } as const

builder.mutationFields((t) => ({
  workspaceCreate: t.field({
    type: Workspace,
    nullable: true,
    args: {
      input: t.arg({ type: WorkspaceCreateInput, required: true, description: 'The workspace to create.' }),
    },
    description: `Creates a workspace with the user as its admin. ${notForApps}`,
    resolve: (_root, { input }, { actor }) => createWorkspace(actor, input),
  }),
  workspaceUpdate: t.field({
    type: Workspace,
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      input: t.arg({ type: WorkspaceUpdateInput, required: true, description: 'The fields to change.' }),
    },
    description: `Changes a workspace. ${describeRole('workspace:update')}.`,
    resolve: (_root, { id, input }, { actor }) =>
      updateWorkspace(actor, id, { name: input.name ?? undefined, slug: input.slug ?? undefined }),
  }),
  workspaceDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Deletes a workspace and everything in it. Returns true. ${describeRole('workspace:delete')}.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteWorkspace(actor, id)
      return true
    },
  }),
}))

builder.mutationField('workspaceTwoFactorUpdate', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      required: t.arg.boolean({
        required: true,
        description: 'Whether users must sign in with two-factor authentication to access the workspace.',
      }),
    },
    description: `Sets whether a workspace requires two-factor authentication. To require it, you must have signed in with two-factor authentication. ${describeRole('workspace:update')}. Not available to apps or workspace tokens.`,
    resolve: (_root, { workspaceId, required }, { actor }) =>
      requireTwoFactorInWorkspace(actor, workspaceId, required),
  }),
)

const ExternalWorkspace = builder.objectRef<Row>('ExternalWorkspace').implement({
  description: 'A workspace in which the user is not a member but has a role in individual projects.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the workspace.' }),
    name: t.exposeString('name', { description: 'The name of the workspace.' }),
    teamId: t.exposeID('id', {
      nullable: true,
      description: `${compatibility} The ID of the workspace.`,
    }),
    projects: t.expose('projects', {
      type: [Project],
      description: 'The projects in which the user has a role, oldest first.',
    }),
  }),
})

builder.queryField('externalWorkspaces', (t) =>
  t.field({
    type: [ExternalWorkspace],
    nullable: true,
    description:
      'The workspaces in which the user has a role only in individual projects. Apps see only workspaces in which a project was selected.',
    resolve: (_root, _args, { actor }) => listExternalWorkspaces(actor),
  }),
)
