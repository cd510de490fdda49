import { emptySlice, parsePage } from '@/lib/base/db/paging'
import { badInput } from '@/lib/base/errors/app-error'
import {
  createEnvironment,
  deleteEnvironment,
  listEnvironments,
  listEnvironmentsOf,
  renameEnvironment,
  requireEnvironment,
} from '@/lib/features/projects/environments'
import type { Environment as EnvironmentRow } from '@/lib/generated/prisma/client'
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { defineLoader, definePageLoader } from '../context'
import { Node } from '../nodes'

const EnvironmentMeta = builder.objectRef<Record<string, never>>('EnvironmentMeta').implement({
  description:
    'Compatibility field for clients of similar APIs. What a pull request made an environment for.',
  fields: (t) => ({
    prNumber: t.int({ nullable: true, description: 'Its number.', resolve: () => null }),
    prTitle: t.string({ nullable: true, description: 'Its title.', resolve: () => null }),
    prRepo: t.string({ nullable: true, description: 'Its repository.', resolve: () => null }),
    branch: t.string({ nullable: true, description: 'Its branch.', resolve: () => null }),
    baseBranch: t.string({ nullable: true, description: 'What it is to go into.', resolve: () => null }),
  }),
})

/** A place a project runs in. See ADR 0016. */
export const Environment = builder.objectRef<EnvironmentRow>('Environment')

Environment.implement({
  interfaces: [Node],
  description: 'A place a project runs in, such as production. It holds variables.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id; it never changes.' }),
    name: t.exposeString('name', { description: 'Its name, which no other environment of the project has.' }),
    projectId: t.exposeID('projectId', { description: 'The project.' }),
    revision: t.exposeInt('revision', {
      description: 'Rises with every change of its variables; for `expectedRevision` of `variablesUpsert`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last renamed.' }),
    canAccess: t.boolean({
      description:
        'Compatibility field for clients of similar APIs. Always true: what the caller cannot read is not shown.',
      resolve: () => true,
    }),
    isEphemeral: t.boolean({
      description:
        'Compatibility field for clients of similar APIs. Always false: environments here stay until they are deleted.',
      resolve: () => false,
    }),
    unmergedChangesCount: t.int({
      nullable: true,
      description: 'Compatibility field for clients of similar APIs. Always null: a change counts at once.',
      resolve: () => null,
    }),
    sourceEnvironment: t.field({
      type: Environment,
      nullable: true,
      description: 'Compatibility field for clients of similar APIs. Always null: none is a copy.',
      resolve: () => null,
    }),
    meta: t.field({
      type: EnvironmentMeta,
      nullable: true,
      description: 'Compatibility field for clients of similar APIs. Always null: no pull request makes one.',
      resolve: () => null,
    }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Compatibility field for clients of similar APIs. Always null: what is deleted is gone.',
      resolve: () => null,
    }),
  }),
})

/** A page of environments. */
export const EnvironmentConnection = defineConnection('Environment', Environment)

/** The environments of projects that the caller may read. */
export const environmentsOf = definePageLoader((actor, ids, page, most) =>
  listEnvironmentsOf(actor, ids, page, most),
)

/** Environments that other rows name. */
export const environmentsById = defineLoader((actor, ids) =>
  Promise.all(
    ids.map((id) =>
      requireEnvironment(actor, 'project:read', id).then(
        ({ environment }) => environment,
        (error: Error) => error,
      ),
    ),
  ),
)

const EnvironmentCreateInput = builder.inputType('EnvironmentCreateInput', {
  description: 'A new environment.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The project it will belong to.' }),
    name: t.string({ required: true, description: 'Its name: 1 to 60 characters.' }),
    sourceEnvironmentId: t.id({
      description:
        'Compatibility field for clients of similar APIs. To be left out, as none is a copy; any value is refused.',
    }),
    applyChangesInBackground: t.boolean({
      description: 'Compatibility field for clients of similar APIs. Changes nothing: it is created at once.',
    }),
  }),
})

const EnvironmentRenameInput = builder.inputType('EnvironmentRenameInput', {
  description: "An environment's new name.",
  fields: (t) => ({ name: t.string({ required: true, description: 'Its new name: 1 to 60 characters.' }) }),
})

builder.queryFields((t) => ({
  environment: t.field({
    type: Environment,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The environment.' }) },
    description: 'One environment. Apps need what `project` takes.',
    resolve: async (_root, { id }, { actor }) =>
      (await requireEnvironment(actor, 'project:read', id)).environment,
  }),
  environments: t.field({
    type: EnvironmentConnection,
    nullable: true,
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      isEphemeral: t.arg.boolean({
        description:
          'Compatibility field for clients of similar APIs. With true the list is empty, as `isEphemeral` of each is false.',
      }),
      ...pageArgs,
    },
    description: "A project's environments, oldest first.",
    resolve: async (_root, { projectId, isEphemeral, ...page }, { actor }) => {
      const slice = await listEnvironments(actor, projectId, parsePage(page))
      return isEphemeral ? emptySlice : slice
    },
  }),
}))

builder.mutationFields((t) => ({
  environmentCreate: t.field({
    type: Environment,
    nullable: true,
    args: {
      input: t.arg({ type: EnvironmentCreateInput, required: true, description: 'The new environment.' }),
    },
    description: `Creates an environment. ${takes('project:manage-environments')}.`,
    resolve: (_root, { input: { projectId, name, sourceEnvironmentId } }, { actor }) => {
      if (sourceEnvironmentId != null) {
        throw badInput('sourceEnvironmentId', 'Environments start empty. Omit the source.')
      }
      return createEnvironment(actor, { projectId, name })
    },
  }),
  environmentRename: t.field({
    type: Environment,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The environment.' }),
      input: t.arg({ type: EnvironmentRenameInput, required: true, description: 'The new name.' }),
    },
    description: `Renames an environment. ${takes('project:manage-environments')}.`,
    resolve: (_root, { id, input }, { actor }) => renameEnvironment(actor, id, input),
  }),
  environmentDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The environment.' }) },
    description: `Deletes an environment with its variables. ${takes('project:delete')}. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteEnvironment(actor, id)
      return true
    },
  }),
}))
