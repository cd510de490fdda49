import { parsePage } from '@/lib/db/keyset'
import { authorizeWorkspace, workspaceCap } from '@/lib/policy/authorize'
import { requireWorkspace, type WorkspaceRow } from '@/lib/policy/require'
import { capped, type Role } from '@/lib/policy/roles'
import { listProjects } from '@/lib/projects/list-projects'
import { findWorkspaces } from '@/lib/workspaces/find-workspaces'
import { listMembers } from '@/lib/workspaces/list-members'
import { builder } from '../builder'
import { pageArgs } from '../connection'
import { defineLoader, definePageLoader } from '../context'
import { WorkspaceMember } from './member'
import { ProjectConnection } from './project'
import { RoleEnum } from './scalars'

const projectsOf = definePageLoader(listProjects)
const membersOf = defineLoader((_actor, ids) => listMembers(ids))

/** Workspaces that other rows name. */
export const workspacesById = defineLoader(findWorkspaces)

/** A workspace. */
export const Workspace = builder.objectRef<WorkspaceRow>('Workspace')

Workspace.implement({
  description: 'A group of people and their projects.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id; it never changes.' }),
    name: t.exposeString('name', { description: 'Its name, as people see it.' }),
    slug: t.exposeString('slug', { description: 'Its short name in addresses.' }),
    role: t.field({
      type: RoleEnum,
      description: "What the caller may do here: the person's role, capped by the token.",
      resolve: (workspace, _args, { actor }) =>
        capped(workspace.role ?? undefined, workspaceCap(actor, workspace.id)) as Role,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    members: t.field({
      type: [WorkspaceMember],
      description: 'The people with a role here, those who joined first in front.',
      resolve: (workspace, _args, context) => {
        authorizeWorkspace(context.actor, 'workspace:read-members', workspace.id, {
          id: workspace.id,
          workspaceRole: workspace.role ?? undefined,
        })
        return membersOf(context).load(workspace.id)
      },
    }),
    projects: t.field({
      type: ProjectConnection,
      args: pageArgs,
      description: 'Its projects, oldest first.',
      resolve: (workspace, args, context) => projectsOf(context, parsePage(args)).load(workspace.id),
    }),
  }),
})

builder.queryField('workspace', (t) =>
  t.field({
    type: Workspace,
    args: { workspaceId: t.arg.id({ required: true, description: 'The id of the workspace.' }) },
    description: 'One workspace. Apps need a `workspace:*` scope, and the workspace selected.',
    resolve: (_root, { workspaceId }, { actor }) => requireWorkspace(actor, 'workspace:read', workspaceId),
  }),
)
