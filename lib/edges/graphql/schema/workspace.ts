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
import { builder, takes } from '../builder'
import { pageArgs } from '../connection'
import { defineLoader, definePageLoader } from '../context'
import { Node } from '../nodes'
import { WorkspaceMember } from './member'
import { Project, ProjectConnection } from './project'
import { RoleEnum } from './scalars'

const projectsOf = definePageLoader(listProjects)
const projectCounts = defineLoader(countProjectsOf)
const membersOf = defineLoader((actor, ids, most) => listMembers(actor, ids, maxPageSize, most))

/** Workspaces that other rows name. */
export const workspacesById = defineLoader((actor, ids) => requireWorkspaces(actor, 'workspace:read', ids))

/** A workspace. */
export const Workspace = builder.objectRef<WorkspaceRow>('Workspace')

const Team = builder.objectRef<{ id: string }>('Team').implement({
  description: 'Compatibility field for clients of similar APIs. A workspace under another name.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'The id of the workspace.' }) }),
})

Workspace.implement({
  interfaces: [Node],
  description: 'A group of people and their projects.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id; it never changes.' }),
    name: t.exposeString('name', { description: 'Its name, as people see it.' }),
    slug: t.exposeString('slug', { description: 'Its short name in addresses.' }),
    role: t.field({
      type: RoleEnum,
      description: "What the caller may do here: the person's role, capped by the token.",
      resolve: (workspace, _args, { actor }) => roleOfActorInWorkspace(actor, rightsIn(workspace)) as Role,
    }),
    requiresTwoFactor: t.exposeBoolean('requireTwoFactor', {
      description: 'Whether its people enter only after a sign-in with a second step.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    team: t.field({
      type: Team,
      nullable: true,
      description: 'Compatibility field for clients of similar APIs. The workspace itself.',
      resolve: ({ id }) => ({ id }),
    }),
    members: t.field({
      type: [WorkspaceMember],
      nullable: true,
      description: `The people with a role here, those who joined first in front, at most ${maxPageSize}. \`workspaceMembers\` has all of them, in pages.`,
      resolve: (workspace, _args, context) => {
        authorizeWorkspace(context.actor, 'workspace:read-members', workspace.id, rightsIn(workspace))
        return membersOf(context).load(workspace.id)
      },
    }),
    projects: t.field({
      type: ProjectConnection,
      nullable: true,
      args: pageArgs,
      description: 'Its projects, oldest first.',
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
      'The workspace it belongs to. Someone from outside, and an app that was given the project alone, cannot see it.',
    resolve: (project, _args, context) => workspacesById(context).load(project.workspaceId),
  }),
)

builder.queryField('workspace', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The id of the workspace.' }) },
    description: 'One workspace. Apps need a `workspace:*` scope, and the workspace selected.',
    resolve: (_root, { workspaceId }, { actor }) => requireWorkspace(actor, 'workspace:read', workspaceId),
  }),
)

const WorkspaceCreateInput = builder.inputType('WorkspaceCreateInput', {
  description: 'A new workspace.',
  fields: (t) => ({ name: t.string({ required: true, description: 'Its name: 1 to 80 characters.' }) }),
})

const WorkspaceUpdateInput = builder.inputType('WorkspaceUpdateInput', {
  description: 'What changes about a workspace; what is left out stays.',
  fields: (t) => ({
    name: t.string({ description: 'Its new name: 1 to 80 characters.' }),
    slug: t.string({ description: 'Its new short name in addresses: lower case letters, digits, dashes.' }),
  }),
})

const idArg = { required: true, description: 'The id of the workspace.' } as const

builder.mutationFields((t) => ({
  workspaceCreate: t.field({
    type: Workspace,
    nullable: true,
    args: { input: t.arg({ type: WorkspaceCreateInput, required: true, description: 'The new workspace.' }) },
    description: 'Creates a workspace that the person administers. Not for apps.',
    resolve: (_root, { input }, { actor }) => createWorkspace(actor, input),
  }),
  workspaceUpdate: t.field({
    type: Workspace,
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      input: t.arg({ type: WorkspaceUpdateInput, required: true, description: 'What changes.' }),
    },
    description: `Changes a workspace. ${takes('workspace:update')}.`,
    resolve: (_root, { id, input }, { actor }) =>
      updateWorkspace(actor, id, { name: input.name ?? undefined, slug: input.slug ?? undefined }),
  }),
  workspaceDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Deletes a workspace with all that is in it. ${takes('workspace:delete')}. Answers true.`,
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
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      required: t.arg.boolean({
        required: true,
        description: 'Whether its people enter only after a sign-in with a second step.',
      }),
    },
    description: `Demands two-factor of the people of a workspace, or no longer; whoever demands it comes in by two factors. ${takes('workspace:update')}. Not for apps, nor for tokens of a workspace.`,
    resolve: (_root, { workspaceId, required }, { actor }) =>
      requireTwoFactorInWorkspace(actor, workspaceId, required),
  }),
)

const ExternalWorkspace = builder.objectRef<Row>('ExternalWorkspace').implement({
  description: 'A workspace that the person is no member of, but some of whose projects they have a role in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the workspace.' }),
    name: t.exposeString('name', { description: 'Its name, as people see it.' }),
    teamId: t.exposeID('id', {
      nullable: true,
      description: 'Compatibility field for clients of similar APIs. The id of the workspace.',
    }),
    projects: t.expose('projects', {
      type: [Project],
      description: 'The projects they have a role in, oldest first.',
    }),
  }),
})

builder.queryField('externalWorkspaces', (t) =>
  t.field({
    type: [ExternalWorkspace],
    nullable: true,
    description:
      'The workspaces the person knows from outside, through a role in single projects. Apps see those of which a project was selected.',
    resolve: (_root, _args, { actor }) => listExternalWorkspaces(actor),
  }),
)
