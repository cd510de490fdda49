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
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { defineLoader, loadEach } from '../context'
import { Node } from '../nodes'
import { EnvironmentConnection, environmentsOf } from './environment'
import { ProjectMember } from './member'
import { RoleEnum } from './scalars'

const membersOf = defineLoader((actor, ids, most) => listProjectMembers(actor, ids, maxPageSize, most))

/** Projects that other rows name. */
export const projectsById = defineLoader((actor, ids) => requireProjects(actor, 'project:read', ids))

const environmentCounts = defineLoader((actor, ids) => countEnvironmentsOf(actor, ids))

/** A project. */
export const Project = builder.objectRef<ProjectRow>('Project')

Project.implement({
  interfaces: [Node],
  description: 'Something that is built: it belongs to one workspace.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id; it never changes.' }),
    name: t.exposeString('name', { description: 'Its name, as people see it.' }),
    description: t.exposeString('description', { description: 'What it is for; may be empty.' }),
    workspaceId: t.exposeID('workspaceId', { description: 'The id of the workspace it belongs to.' }),
    role: t.field({
      type: RoleEnum,
      description: "What the caller may do here: the person's role, capped by the token.",
      resolve: (project, _args, { actor }) => roleOfActorInProject(actor, rightsOf(project)) as Role,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Compatibility field for clients of similar APIs. Always null: what is deleted is gone.',
      resolve: () => null,
    }),
    environments: t.field({
      type: EnvironmentConnection,
      nullable: true,
      args: pageArgs,
      description: 'Its environments, oldest first.',
      resolve: async (project, args, context) => ({
        ...(await environmentsOf(context, parsePage(args)).load(project.id)),
        count: () => environmentCounts(context).load(project.id),
      }),
    }),
    members: t.field({
      type: [ProjectMember],
      nullable: true,
      description: `The people with a role in the project itself, those who joined first in front, at most ${maxPageSize}. \`projectMembers\` has all of them, in pages. The members of its workspace reach it as well.`,
      resolve: (project, _args, context) => membersOf(context).load(project.id),
    }),
  }),
})

/** A page of projects. */
export const ProjectConnection = defineConnection('Project', Project)

const ProjectOrder = builder.enumType('ProjectOrder', {
  description: 'The order of a list of projects.',
  values: {
    CREATED: { description: 'Those made first in front.' },
    NAME: { description: 'By name, numbers by their value: "Project 2" before "Project 10".' },
  } as const,
})

const ProjectMemberConnection = defineConnection('ProjectMember', ProjectMember)

builder.queryFields((t) => ({
  project: t.field({
    type: Project,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the project.' }) },
    description:
      'One project. Apps need a `project:*` scope and the project selected, or a `workspace:*` scope and its workspace selected.',
    resolve: (_root, { id }, { actor }) => requireProject(actor, 'project:read', id),
  }),
  projects: t.field({
    type: ProjectConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ description: 'Only those of this workspace.' }),
      search: t.arg.string({ description: 'Only those with this text in their names.' }),
      orderBy: t.arg({
        type: ProjectOrder,
        description: 'In which order: CREATED unless given. A cursor counts in its own order alone.',
      }),
      ...pageArgs,
    },
    description:
      'The projects that the caller sees, oldest first unless asked otherwise. Apps see the selected projects, and all of the selected workspaces.',
    resolve: (_root, { workspaceId, search, orderBy, ...page }, { actor }) =>
      orderBy === 'NAME'
        ? listProjectsByName(actor, { workspaceId, search }, parseTextPage(page))
        : listNamedProjects(actor, { workspaceId, search }, parsePage(page)),
  }),
  projectsByIds: t.field({
    type: [Project],
    nullable: { list: true, items: true },
    args: {
      ids: t.arg.idList({ required: true, description: `The ids, at most ${maxPageSize}.` }),
    },
    description:
      'Several projects, in the order of their ids; null, with an error, for one that the caller cannot read. Each takes what `project` takes.',
    resolve: (_root, { ids }, context) => loadEach(context, projectsById(context), ids),
  }),
  projectMembers: t.field({
    type: ProjectMemberConnection,
    nullable: true,
    args: { projectId: t.arg.id({ required: true, description: 'The id of the project.' }), ...pageArgs },
    description:
      'The people with a role in a project itself, in pages, in the order of their ids. Apps need what `project` takes.',
    resolve: (_root, { projectId, ...page }, { actor }) =>
      pageProjectMembers(actor, projectId, parsePage(page)),
  }),
}))

const ProjectCreateInput = builder.inputType('ProjectCreateInput', {
  description: 'A new project.',
  fields: (t) => ({
    workspaceId: t.id({
      description: 'The workspace it will belong to; to be left out by a caller who reaches one alone.',
    }),
    name: t.string({ description: 'Its name: 1 to 80 characters; it must not be left out.' }),
    description: t.string({ description: 'What it is for: up to 2,000 characters.' }),
  }),
})

const ProjectUpdateInput = builder.inputType('ProjectUpdateInput', {
  description: 'What changes about a project; what is left out stays.',
  fields: (t) => ({
    name: t.string({ description: 'Its new name: 1 to 80 characters.' }),
    description: t.string({ description: 'What it is for: up to 2,000 characters; empty to clear it.' }),
  }),
})

const ProjectTransferInput = builder.inputType('ProjectTransferInput', {
  description: 'Where a project shall belong.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The project.' }),
    workspaceId: t.id({ required: true, description: 'The workspace it shall belong to.' }),
  }),
})

builder.mutationFields((t) => ({
  projectCreate: t.field({
    type: Project,
    nullable: true,
    args: { input: t.arg({ type: ProjectCreateInput, required: true, description: 'The new project.' }) },
    description: `Creates a project. ${takes('workspace:create-project')} in the workspace.`,
    resolve: (_root, { input }, { actor }) => createProject(actor, input),
  }),
  projectUpdate: t.field({
    type: Project,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The id of the project.' }),
      input: t.arg({ type: ProjectUpdateInput, required: true, description: 'What changes.' }),
    },
    description: `Changes a project. ${takes('project:update')}.`,
    resolve: (_root, { id, input }, { actor }) => updateProject(actor, id, input),
  }),
  projectTransfer: t.field({
    type: Project,
    nullable: true,
    args: { input: t.arg({ type: ProjectTransferInput, required: true, description: 'Where to.' }) },
    description: `Moves a project to another workspace, with its environments, variables, members and tokens. ${takes('workspace:transfer-projects')} in both. Open invitations to it and approvals of apps for it end; roles, apps and rules of the new workspace count at once.`,
    resolve: (_root, { input }, { actor }) => transferProject(actor, input),
  }),
  projectDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the project.' }) },
    description: `Deletes a project with all that is in it; \`projectRestore\` takes that back for some days. ${takes('project:delete')}. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteProject(actor, id)
      return true
    },
  }),
}))

export const DeletedProject = builder.objectRef<DeletedProjectRow>('DeletedProject').implement({
  description: 'A project that was deleted, for as long as that can be taken back.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id, which it keeps when it is restored.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    description: t.exposeString('description', { description: 'What it is for; may be empty.' }),
    workspaceId: t.exposeID('workspaceId', { description: 'The id of the workspace it belonged to.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    deletedAt: t.expose('deletedAt', { type: 'DateTime', description: 'When it was deleted.' }),
    deletedById: t.exposeID('deletedById', {
      nullable: true,
      description: 'The person who deleted it; null where an app did that for nobody.',
    }),
    restorableUntil: t.field({
      type: 'DateTime',
      description: 'Until when it can be restored; then it is removed for good.',
      resolve: restorableUntil,
    }),
  }),
})

const DeletedProjectConnection = defineConnection('DeletedProject', DeletedProject)

builder.queryField('deletedProjects', (t) =>
  t.field({
    type: DeletedProjectConnection,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }), ...pageArgs },
    description: `The projects of a workspace that were deleted and can be restored, oldest first. ${takes('workspace:restore-projects')}.`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      listDeletedProjects(actor, workspaceId, parsePage(page)),
  }),
)

builder.mutationField('projectRestore', (t) =>
  t.field({
    type: Project,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the project.' }) },
    description: `Takes the deletion of a project back, with its environments, variables and members; its tokens, invitations and approvals stay gone. ${takes('workspace:restore-projects')}.`,
    resolve: (_root, { id }, { actor }) => restoreProject(actor, id),
  }),
)
