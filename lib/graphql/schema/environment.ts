import { parsePage } from '@/lib/db/keyset'
import {
  createEnvironment,
  deleteEnvironment,
  renameEnvironment,
} from '@/lib/environments/change-environment'
import { listEnvironments } from '@/lib/environments/list-environments'
import type { Environment as EnvironmentRow } from '@/lib/generated/prisma/client'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'

const Environment = builder.objectRef<EnvironmentRow>('Environment').implement({
  description: 'A place a project runs in, such as production. It holds variables.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id; it never changes.' }),
    name: t.exposeString('name', { description: 'Its name, which no other environment of the project has.' }),
    projectId: t.exposeID('projectId', { description: 'The project.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last renamed.' }),
  }),
})

const EnvironmentConnection = defineConnection('Environment', Environment)

const EnvironmentCreateInput = builder.inputType('EnvironmentCreateInput', {
  description: 'A new environment.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The project it will belong to.' }),
    name: t.string({ required: true, description: 'Its name: 1 to 60 characters.' }),
  }),
})

const EnvironmentRenameInput = builder.inputType('EnvironmentRenameInput', {
  description: "An environment's new name.",
  fields: (t) => ({ name: t.string({ required: true, description: 'Its new name: 1 to 60 characters.' }) }),
})

builder.queryField('environments', (t) =>
  t.field({
    type: EnvironmentConnection,
    args: { projectId: t.arg.id({ required: true, description: 'The project.' }), ...pageArgs },
    description: "A project's environments, oldest first.",
    resolve: (_root, { projectId, ...page }, { actor }) =>
      listEnvironments(actor, projectId, parsePage(page)),
  }),
)

builder.mutationFields((t) => ({
  environmentCreate: t.field({
    type: Environment,
    args: {
      input: t.arg({ type: EnvironmentCreateInput, required: true, description: 'The new environment.' }),
    },
    description: 'Creates an environment. Takes the role MEMBER.',
    resolve: (_root, { input }, { actor }) => createEnvironment(actor, input),
  }),
  environmentRename: t.field({
    type: Environment,
    args: {
      id: t.arg.id({ required: true, description: 'The environment.' }),
      input: t.arg({ type: EnvironmentRenameInput, required: true, description: 'The new name.' }),
    },
    description: 'Renames an environment. Takes the role MEMBER.',
    resolve: (_root, { id, input }, { actor }) => renameEnvironment(actor, id, input),
  }),
  environmentDelete: t.boolean({
    args: { id: t.arg.id({ required: true, description: 'The environment.' }) },
    description: 'Deletes an environment with its variables. Takes the role ADMIN. Answers true.',
    resolve: async (_root, { id }, { actor }) => {
      await deleteEnvironment(actor, id)
      return true
    },
  }),
}))
