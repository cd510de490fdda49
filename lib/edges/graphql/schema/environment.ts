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
import { builder, compatibility, describeRole } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { defineLoader, definePageLoader } from '../context'
import { Node, readNodes } from '../nodes'

const EnvironmentMeta = builder.objectRef<Record<string, never>>('EnvironmentMeta').implement({
  description: `${compatibility} The pull request of an environment.`,
  fields: (t) => ({
    prNumber: t.int({ nullable: true, description: 'The number of the pull request.', resolve: () => null }),
    prTitle: t.string({ nullable: true, description: 'The title of the pull request.', resolve: () => null }),
    prRepo: t.string({
      nullable: true,
      description: 'The repository of the pull request.',
      resolve: () => null,
    }),
    branch: t.string({ nullable: true, description: 'The branch of the pull request.', resolve: () => null }),
    baseBranch: t.string({
      nullable: true,
      description: 'The branch that the pull request merges into.',
      resolve: () => null,
    }),
  }),
})

export const Environment = builder.objectRef<EnvironmentRow>('Environment')

Environment.implement({
  interfaces: [Node],
  description: 'An environment of a project, such as production. It holds variables.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the environment. It never changes.' }),
    name: t.exposeString('name', { description: 'The name of the environment, unique within the project.' }),
    projectId: t.exposeID('projectId', { description: 'The ID of the project.' }),
    revision: t.exposeInt('revision', {
      description:
        'A number that increases with every change to the environment’s variables. Pass it as `expectedRevision` to `variablesUpsert`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the environment was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the environment was last renamed.',
    }),
    canAccess: t.boolean({
      description: `${compatibility} Always true: callers see only environments that they can read.`,
      resolve: () => true,
    }),
    isEphemeral: t.boolean({
      description: `${compatibility} Always false: environments exist until they are deleted.`,
      resolve: () => false,
    }),
    unmergedChangesCount: t.int({
      nullable: true,
      description: `${compatibility} Always null: changes apply immediately.`,
      resolve: () => null,
    }),
    sourceEnvironment: t.field({
      type: Environment,
      nullable: true,
      description: `${compatibility} Always null: environments are not copies.`,
      resolve: () => null,
    }),
    meta: t.field({
      type: EnvironmentMeta,
      nullable: true,
      description: `${compatibility} Always null: pull requests do not create environments.`,
      resolve: () => null,
    }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: `${compatibility} Always null: deleted environments are not returned.`,
      resolve: () => null,
    }),
  }),
})

export const EnvironmentConnection = defineConnection('Environment', Environment)

/**
 * Loads a page of each project's environments. Omits environments that the caller's token cannot access.
 * Check access to the projects first, because this loader does not check it.
 */
export const environmentsOf = definePageLoader((actor, ids, page, most) =>
  listEnvironmentsOf(actor, ids, page, most),
)

/** Loads environments by ID, for rows that refer to them. Applies the same access rules as `node`. */
export const environmentsById = defineLoader(
  (actor, ids) => readNodes('Environment', actor, ids, null) as Promise<(EnvironmentRow | Error)[]>,
)

const EnvironmentCreateInput = builder.inputType('EnvironmentCreateInput', {
  description: 'A new environment.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The ID of the project.' }),
    name: t.string({ required: true, description: 'The name of the environment: 1 to 60 characters.' }),
    sourceEnvironmentId: t.id({
      description: `${compatibility} Omit this field: environments cannot be copied, so any value is rejected.`,
    }),
    applyChangesInBackground: t.boolean({
      description: `${compatibility} This field has no effect, because the environment is created immediately.`,
    }),
  }),
})

const EnvironmentRenameInput = builder.inputType('EnvironmentRenameInput', {
  description: 'A new name for an environment.',
  fields: (t) => ({ name: t.string({ required: true, description: 'The new name: 1 to 60 characters.' }) }),
})

builder.queryFields((t) => ({
  environment: t.field({
    type: Environment,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the environment.' }) },
    description: 'An environment. Apps need the same access as for `project`.',
    resolve: async (_root, { id }, { actor }) =>
      (await requireEnvironment(actor, 'project:read', id)).environment,
  }),
  environments: t.field({
    type: EnvironmentConnection,
    nullable: true,
    args: {
      projectId: t.arg.id({ required: true, description: 'The ID of the project.' }),
      isEphemeral: t.arg.boolean({
        description: `${compatibility} If true, the list is empty, because \`isEphemeral\` is false for every environment.`,
      }),
      ...pageArgs,
    },
    description: 'The environments of a project, oldest first.',
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
      input: t.arg({
        type: EnvironmentCreateInput,
        required: true,
        description: 'The environment to create.',
      }),
    },
    description: `Creates an environment. ${describeRole('project:manage-environments')}.`,
    resolve: (_root, { input: { projectId, name, sourceEnvironmentId } }, { actor }) => {
      if (sourceEnvironmentId != null) {
        throw badInput('sourceEnvironmentId', 'Environments can’t be copied. Omit `sourceEnvironmentId`.')
      }
      return createEnvironment(actor, { projectId, name })
    },
  }),
  environmentRename: t.field({
    type: Environment,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The ID of the environment.' }),
      input: t.arg({ type: EnvironmentRenameInput, required: true, description: 'The new name.' }),
    },
    description: `Renames an environment. ${describeRole('project:manage-environments')}.`,
    resolve: (_root, { id, input }, { actor }) => renameEnvironment(actor, id, input),
  }),
  environmentDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the environment.' }) },
    description: `Deletes an environment and its variables. Returns true. ${describeRole('project:delete')}.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteEnvironment(actor, id)
      return true
    },
  }),
}))
