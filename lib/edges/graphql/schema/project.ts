import { maxPageSize, parsePage, parseTextPage } from '@/lib/base/db/paging'
import { createProject, updateProject } from '@/lib/features/projects/create-project'
import {
  type DeletedProject as DeletedProjectRow,
  deleteProject,
  listDeletedProjects,
  restorableUntil,
  restoreProject,
} from '@/lib/features/projects/delete-project'
import { countEnvironmentsOf } from '@/lib/features/projects/environments'
import { listProjectMembers, pageProjectMembers } from '@/lib/features/projects/list-members'
import { listNamedProjects, listProjectsByName } from '@/lib/features/projects/list-projects'
import { transferProject } from '@/lib/features/projects/transfer-project'
import { roleOfActorInProject } from '@/lib/policy/authorize'
import { type ProjectRow, requireProject, requireProjects, rightsOf } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { builder, compatibility, describeRole } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { defineLoader, loadEach } from '../context'
import { Node } from '../nodes'
import { EnvironmentConnection, environmentsOf } from './environment'
import { ProjectMember } from './member'
import { RoleEnum } from './scalars'

const membersOf = defineLoader((actor, ids, most) => listProjectMembers(actor, ids, maxPageSize, most))

/** Loads projects by ID. An Error replaces a project that the caller cannot read. */
export const projectsById = defineLoader((actor, ids) => requireProjects(actor, 'project:read', ids))

const environmentCounts = defineLoader((actor, ids) => countEnvironmentsOf(actor, ids))

export const Project = builder.objectRef<ProjectRow>('Project')

Project.implement({
  interfaces: [Node],
  description: 'A project. It belongs to one workspace.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the project. It never changes.' }),
    name: t.exposeString('name', { description: 'The name of the project.' }),
    description: t.exposeString('description', {
      description: 'The description of the project. It can be empty.',
    }),
    workspaceId: t.exposeID('workspaceId', { description: 'The ID of the workspace.' }),
    role: t.field({
      type: RoleEnum,
      description:
        'The caller’s role in the project: the user’s role, unless the token limits it to a lower one.',
      resolve: (project, _args, { actor }) => roleOfActorInProject(actor, rightsOf(project)) as Role,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the project was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the project was last changed.' }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: `${compatibility} Always null: deleted projects are not returned.`,
      resolve: () => null,
    }),
    environments: t.field({
      type: EnvironmentConnection,
      nullable: true,
      args: pageArgs,
      description: 'The environments of the project, oldest first.',
      resolve: async (project, args, context) => ({
        ...(await environmentsOf(context, parsePage(args)).load(project.id)),
        count: () => environmentCounts(context).load(project.id),
      }),
    }),
    members: t.field({
      type: [ProjectMember],
      nullable: true,
      description: `The users with a direct role in the project, oldest membership first. Maximum: ${maxPageSize}. \`projectMembers\` returns all of them, in pages. Members of the workspace can also access the project.`,
      resolve: (project, _args, context) => membersOf(context).load(project.id),
    }),
  }),
})

export const ProjectConnection = defineConnection('Project', Project)

const ProjectOrder = builder.enumType('ProjectOrder', {
  description: 'A sort order for a list of projects.',
  values: {
    CREATED: { description: 'Oldest first.' },
    NAME: { description: 'By name, with numbers ordered by value: "Project 2" before "Project 10".' },
  } as const,
})

const ProjectMemberConnection = defineConnection('ProjectMember', ProjectMember)

builder.queryFields((t) => ({
  project: t.field({
    type: Project,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the project.' }) },
    description:
      'A project. Apps need a `project:*` scope and access to the project, or a `workspace:*` scope and access to its workspace.',
    resolve: (_root, { id }, { actor }) => requireProject(actor, 'project:read', id),
  }),
  projects: t.field({
    type: ProjectConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ description: 'Returns only projects of the workspace with this ID.' }),
      search: t.arg.string({ description: 'Returns only projects with this text in their names.' }),
      orderBy: t.arg({
        type: ProjectOrder,
        description:
          'The order of the list. Default: CREATED. A cursor is valid only with the same `orderBy` value that it was returned for.',
      }),
      ...pageArgs,
    },
    description:
      'The projects that the caller can see. Apps see the selected projects and all projects of the selected workspaces.',
    resolve: (_root, { workspaceId, search, orderBy, ...page }, { actor }) =>
      orderBy === 'NAME'
        ? listProjectsByName(actor, { workspaceId, search }, parseTextPage(page))
        : listNamedProjects(actor, { workspaceId, search }, parsePage(page)),
  }),
  projectsByIds: t.field({
    type: [Project],
    nullable: { list: true, items: true },
    args: {
      ids: t.arg.idList({ required: true, description: `The IDs of the projects. Maximum: ${maxPageSize}.` }),
    },
    description:
      'The projects with the given IDs, in the same order. An item is null, with an error, if the caller cannot read it. Each item requires the same access as `project`.',
    resolve: (_root, { ids }, context) => loadEach(context, projectsById(context), ids),
  }),
  projectMembers: t.field({
    type: ProjectMemberConnection,
    nullable: true,
    args: { projectId: t.arg.id({ required: true, description: 'The ID of the project.' }), ...pageArgs },
    description:
      'The users with a direct role in a project, ordered by ID. Apps need the same access as for `project`.',
    resolve: (_root, { projectId, ...page }, { actor }) =>
      pageProjectMembers(actor, projectId, parsePage(page)),
  }),
}))

const ProjectCreateInput = builder.inputType('ProjectCreateInput', {
  description: 'A new project.',
  fields: (t) => ({
    workspaceId: t.id({
      description: 'The ID of the workspace. Optional if the caller can access only one workspace.',
    }),
    name: t.string({ description: 'The name of the project: 1 to 80 characters. Required.' }),
    description: t.string({ description: 'The description of the project: up to 2,000 characters.' }),
  }),
})

const ProjectUpdateInput = builder.inputType('ProjectUpdateInput', {
  description: 'Changes to a project. Omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'The new name: 1 to 80 characters.' }),
    description: t.string({
      description: 'The new description: up to 2,000 characters. An empty string clears it.',
    }),
  }),
})

const ProjectTransferInput = builder.inputType('ProjectTransferInput', {
  description: 'A destination for a project.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The ID of the project.' }),
    workspaceId: t.id({ required: true, description: 'The ID of the destination workspace.' }),
  }),
})

builder.mutationFields((t) => ({
  projectCreate: t.field({
    type: Project,
    nullable: true,
    args: {
      input: t.arg({ type: ProjectCreateInput, required: true, description: 'The project to create.' }),
    },
    description: `Creates a project. ${describeRole('workspace:create-project')} in the workspace.`,
    resolve: (_root, { input }, { actor }) => createProject(actor, input),
  }),
  projectUpdate: t.field({
    type: Project,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The ID of the project.' }),
      input: t.arg({ type: ProjectUpdateInput, required: true, description: 'The fields to change.' }),
    },
    description: `Changes a project. ${describeRole('project:update')}.`,
    resolve: (_root, { id, input }, { actor }) => updateProject(actor, id, input),
  }),
  projectTransfer: t.field({
    type: Project,
    nullable: true,
    args: {
      input: t.arg({
        type: ProjectTransferInput,
        required: true,
        description: 'The project and its destination.',
      }),
    },
    description: `Moves a project to another workspace, with its environments, variables, members, and tokens. Pending invitations to the project and app approvals for it are removed. The roles, apps, and rules of the new workspace apply immediately. ${describeRole('workspace:transfer-projects')} in both workspaces.`,
    resolve: (_root, { input }, { actor }) => transferProject(actor, input),
  }),
  projectDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the project.' }) },
    description: `Deletes a project and everything in it. You can restore it with \`projectRestore\` for several days. Returns true. ${describeRole('project:delete')}.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteProject(actor, id)
      return true
    },
  }),
}))

export const DeletedProject = builder.objectRef<DeletedProjectRow>('DeletedProject').implement({
  description: 'A deleted project that can still be restored.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The ID of the project. It stays the same if the project is restored.',
    }),
    name: t.exposeString('name', { description: 'The name of the project.' }),
    description: t.exposeString('description', {
      description: 'The description of the project. It can be empty.',
    }),
    workspaceId: t.exposeID('workspaceId', {
      description: 'The ID of the workspace that the project belonged to.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the project was created.' }),
    deletedAt: t.expose('deletedAt', { type: 'DateTime', description: 'When the project was deleted.' }),
    deletedById: t.exposeID('deletedById', {
      nullable: true,
      description: 'The ID of the user who deleted the project. Null if an app installation deleted it.',
    }),
    restorableUntil: t.field({
      type: 'DateTime',
      description: 'When the project is deleted permanently and can no longer be restored.',
      resolve: restorableUntil,
    }),
  }),
})

const DeletedProjectConnection = defineConnection('DeletedProject', DeletedProject)

builder.queryField('deletedProjects', (t) =>
  t.field({
    type: DeletedProjectConnection,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }), ...pageArgs },
    description: `The deleted projects of a workspace that can be restored, oldest first. ${describeRole('workspace:restore-projects')}.`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      listDeletedProjects(actor, workspaceId, parsePage(page)),
  }),
)

builder.mutationField('projectRestore', (t) =>
  t.field({
    type: Project,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the project.' }) },
    description: `Restores a deleted project with its environments, variables, and members. Its tokens, invitations, and approvals are not restored. ${describeRole('workspace:restore-projects')}.`,
    resolve: (_root, { id }, { actor }) => restoreProject(actor, id),
  }),
)
