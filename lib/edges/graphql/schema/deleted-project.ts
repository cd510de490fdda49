import { parsePage } from '@/lib/base/db/keyset'
import {
  type DeletedProject as DeletedProjectRow,
  listDeletedProjects,
  restorableUntil,
  restoreProject,
} from '@/lib/features/projects/delete-project'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { takes } from '../takes'
import { Project } from './project'

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
