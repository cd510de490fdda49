import { parsePage } from '@/lib/base/db/paging'
import { badInput } from '@/lib/base/errors/app-error'
import {
  listVariableChanges,
  listVariables,
  readValue,
  type VariableRow,
} from '@/lib/features/projects/read-variables'
import {
  deleteVariable,
  setVariable,
  setVariables,
  type VariablesSet,
} from '@/lib/features/projects/set-variables'
import type { VariableChange as ChangeRow } from '@/lib/generated/prisma/client'
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'
import { Environment } from './environment'
import { ActorKind, kindOf } from './scalars'

export const Variable = builder.objectRef<VariableRow>('Variable').implement({
  interfaces: [Node],
  description: 'A named value of an environment, such as a password. Values are encrypted at rest.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    value: t.string({
      nullable: true,
      description: `Its value. ${takes('project:read-values')}: viewers see names alone.`,
      resolve: (variable, _args, { actor }) => readValue(actor, variable),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first set.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last set.' }),
  }),
})

const VariableAction = builder.enumType('VariableAction', {
  description: 'What was done to a variable.',
  values: {
    CREATED: { description: 'It was set for the first time.' },
    UPDATED: { description: 'It was set anew.' },
    DELETED: { description: 'It was deleted.' },
  } as const,
})

const VariableChange = builder.objectRef<ChangeRow>('VariableChange').implement({
  description: 'Who changed a variable when. Values, old or new, are kept nowhere.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'The name of the variable.' }),
    action: t.expose('action', { type: VariableAction, description: 'What was done.' }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'The person who did it, or for whom an app did.',
    }),
    actorKind: t.field({ type: ActorKind, description: 'Through what.', resolve: kindOf }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description: 'The app or token through which it was done; null for a browser session.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
})

/** A page of variables. */
export const VariableConnection = defineConnection('Variable', Variable)
const VariableChangeConnection = defineConnection('VariableChange', VariableChange)

const environmentArg = { required: true, description: 'The environment.' } as const

builder.queryFields((t) => ({
  variables: t.field({
    type: VariableConnection,
    nullable: true,
    args: {
      environmentId: t.arg.id(environmentArg),
      names: t.arg.stringList({ description: 'Only those of these names.' }),
      ...pageArgs,
    },
    description: "An environment's variables, oldest first.",
    resolve: (_root, { environmentId, names, ...page }, { actor }) =>
      listVariables(actor, environmentId, parsePage(page), names),
  }),
  variableChanges: t.field({
    type: VariableChangeConnection,
    nullable: true,
    args: { environmentId: t.arg.id(environmentArg), ...pageArgs },
    description: 'Who changed which variable of an environment when, the latest first.',
    resolve: (_root, { environmentId, ...page }, { actor }) =>
      listVariableChanges(actor, environmentId, parsePage(page)),
  }),
}))

const VariableUpsertInput = builder.inputType('VariableUpsertInput', {
  description: 'A variable to set.',
  fields: (t) => ({
    environmentId: t.id(environmentArg),
    name: t.string({ required: true, description: 'Letters, digits and underscores; no digit in front.' }),
    value: t.string({ required: true, description: 'Its value: at most 32 KiB.' }),
  }),
})

const VariableValueInput = builder.inputType('VariableValueInput', {
  description: 'One of several variables to set.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Letters, digits and underscores; no digit in front.' }),
    value: t.string({ required: true, description: 'Its value: at most 32 KiB.' }),
  }),
})

const VariablesUpsertInput = builder.inputType('VariablesUpsertInput', {
  description: 'Several variables to set: all of them, or none.',
  fields: (t) => ({
    environmentId: t.id(environmentArg),
    variables: t.field({
      type: [VariableValueInput],
      required: true,
      description: 'The variables, at most 100, each name once.',
    }),
    replace: t.boolean({
      description: 'Whether to delete the variables that are not among them; not, unless said.',
    }),
    expectedRevision: t.int({
      description:
        'The `revision` of the environment when its variables were read: if they were changed since, nothing is written (CONFLICT).',
    }),
  }),
})

const VariablesUpsertPayload = builder.objectRef<VariablesSet>('VariablesUpsertPayload').implement({
  description: 'What became of the variables.',
  fields: (t) => ({
    environment: t.expose('environment', {
      type: Environment,
      description: 'The environment, with its new revision.',
    }),
    variables: t.expose('variables', {
      type: [Variable],
      description: 'Those that were set, in the order sent.',
    }),
    deleted: t.exposeStringList('deleted', { description: 'The names of those that were deleted.' }),
  }),
})

const VariableDeleteInput = builder.inputType('VariableDeleteInput', {
  description: 'A variable to delete.',
  fields: (t) => ({
    environmentId: t.id(environmentArg),
    name: t.string({ required: true, description: 'Its name.' }),
    projectId: t.id({
      description:
        'Compatibility field for clients of similar APIs. The project of the environment, which says it too.',
    }),
    serviceId: t.id({
      description:
        'Compatibility field for clients of similar APIs. To be left out, as variables belong to environments; any value is refused.',
    }),
  }),
})

builder.mutationFields((t) => ({
  variableUpsert: t.field({
    type: Variable,
    nullable: true,
    args: { input: t.arg({ type: VariableUpsertInput, required: true, description: 'The variable.' }) },
    description: `Sets a variable, new or not. ${takes('project:write-variables')}.`,
    resolve: (_root, { input }, { actor }) => setVariable(actor, input),
  }),
  variablesUpsert: t.field({
    type: VariablesUpsertPayload,
    nullable: true,
    args: {
      input: t.arg({ type: VariablesUpsertInput, required: true, description: 'The variables.' }),
    },
    description: `Sets several variables in one step: all of them, or none. ${takes('project:write-variables')}.`,
    resolve: (_root, { input }, { actor }) => setVariables(actor, input),
  }),
  variableDelete: t.boolean({
    nullable: true,
    args: { input: t.arg({ type: VariableDeleteInput, required: true, description: 'The variable.' }) },
    description: `Deletes a variable. ${takes('project:write-variables')}. Answers true.`,
    resolve: async (_root, { input: { projectId: _projectId, serviceId, ...input } }, { actor }) => {
      if (serviceId != null) {
        throw badInput('serviceId', 'Variables belong to environments. Omit the service.')
      }
      await deleteVariable(actor, input)
      return true
    },
  }),
}))
