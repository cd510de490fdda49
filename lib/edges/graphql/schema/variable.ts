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
import { builder, compatibility, describeRole } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'
import { Environment } from './environment'
import { ActorKind, kindOf } from './scalars'

export const Variable = builder.objectRef<VariableRow>('Variable').implement({
  interfaces: [Node],
  description: 'A named value of an environment, such as a password. Values are encrypted at rest.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the variable.' }),
    name: t.exposeString('name', { description: 'The name of the variable.' }),
    value: t.string({
      nullable: true,
      description: `The value of the variable. Viewers see only names. ${describeRole('project:read-values')}.`,
      resolve: (variable, _args, { actor }) => readValue(actor, variable),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the variable was first set.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the variable was last set.' }),
  }),
})

const VariableAction = builder.enumType('VariableAction', {
  description: 'The kind of change to a variable.',
  values: {
    CREATED: { description: 'The variable was set for the first time.' },
    UPDATED: { description: 'The variable was set again.' },
    DELETED: { description: 'The variable was deleted.' },
  } as const,
})

const VariableChange = builder.objectRef<ChangeRow>('VariableChange').implement({
  description: 'A change to a variable: who made it and when. Old and new values are not stored.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the change.' }),
    name: t.exposeString('name', { description: 'The name of the variable.' }),
    action: t.expose('action', { type: VariableAction, description: 'The kind of change.' }),
    userId: t.exposeID('userId', {
      nullable: true,
      description:
        'The ID of the user who made the change, or on whose behalf an app made it. Null if an app installation made it.',
    }),
    actorKind: t.field({
      type: ActorKind,
      description: 'The kind of client or token that was used.',
      resolve: kindOf,
    }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description: 'The ID of the app or token that was used. Null for a browser session.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the variable was changed.' }),
  }),
})

export const VariableConnection = defineConnection('Variable', Variable)
const VariableChangeConnection = defineConnection('VariableChange', VariableChange)

const environmentArg = { required: true, description: 'The ID of the environment.' } as const

builder.queryFields((t) => ({
  variables: t.field({
    type: VariableConnection,
    nullable: true,
    args: {
      environmentId: t.arg.id(environmentArg),
      names: t.arg.stringList({ description: 'Returns only variables with these names.' }),
      ...pageArgs,
    },
    description: 'The variables of an environment, oldest first.',
    resolve: (_root, { environmentId, names, ...page }, { actor }) =>
      listVariables(actor, environmentId, parsePage(page), names),
  }),
  variableChanges: t.field({
    type: VariableChangeConnection,
    nullable: true,
    args: { environmentId: t.arg.id(environmentArg), ...pageArgs },
    description: 'The changes to an environment’s variables, newest first.',
    resolve: (_root, { environmentId, ...page }, { actor }) =>
      listVariableChanges(actor, environmentId, parsePage(page)),
  }),
}))

const VariableUpsertInput = builder.inputType('VariableUpsertInput', {
  description: 'A variable to set.',
  fields: (t) => ({
    environmentId: t.id(environmentArg),
    name: t.string({
      required: true,
      description: 'The name: letters, digits, and underscores. It cannot start with a digit.',
    }),
    value: t.string({ required: true, description: 'The value: up to 32 KiB.' }),
  }),
})

const VariableValueInput = builder.inputType('VariableValueInput', {
  description: 'One of several variables to set.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'The name: letters, digits, and underscores. It cannot start with a digit.',
    }),
    value: t.string({ required: true, description: 'The value: up to 32 KiB.' }),
  }),
})

const VariablesUpsertInput = builder.inputType('VariablesUpsertInput', {
  description: 'A set of variables. Either all of the variables are set or none are.',
  fields: (t) => ({
    environmentId: t.id(environmentArg),
    variables: t.field({
      type: [VariableValueInput],
      required: true,
      description: 'The variables. Each name can appear only once. Maximum: 100.',
    }),
    replace: t.boolean({
      description: 'Whether to delete all other variables of the environment. Default: false.',
    }),
    expectedRevision: t.int({
      description:
        'The `revision` of the environment when you read its variables. If the variables have changed since then, nothing is written and the mutation fails with CONFLICT.',
    }),
  }),
})

const VariablesUpsertPayload = builder.objectRef<VariablesSet>('VariablesUpsertPayload').implement({
  description: 'The result of setting several variables.',
  fields: (t) => ({
    environment: t.expose('environment', {
      type: Environment,
      description: 'The environment, with its new revision.',
    }),
    variables: t.expose('variables', {
      type: [Variable],
      description: 'The variables that were set, in the order of the input.',
    }),
    deleted: t.exposeStringList('deleted', { description: 'The names of the deleted variables.' }),
  }),
})

const VariableDeleteInput = builder.inputType('VariableDeleteInput', {
  description: 'A variable to delete.',
  fields: (t) => ({
    environmentId: t.id(environmentArg),
    name: t.string({ required: true, description: 'The name of the variable.' }),
    projectId: t.id({
      description: `${compatibility} The ID of the project. Not needed, because \`environmentId\` determines it.`,
    }),
    serviceId: t.id({
      description: `${compatibility} Omit this field: variables belong to environments, so any value is rejected.`,
    }),
  }),
})

builder.mutationFields((t) => ({
  variableUpsert: t.field({
    type: Variable,
    nullable: true,
    args: {
      input: t.arg({ type: VariableUpsertInput, required: true, description: 'The variable to set.' }),
    },
    description: `Creates or changes a variable. ${describeRole('project:write-variables')}.`,
    resolve: (_root, { input }, { actor }) => setVariable(actor, input),
  }),
  variablesUpsert: t.field({
    type: VariablesUpsertPayload,
    nullable: true,
    args: {
      input: t.arg({ type: VariablesUpsertInput, required: true, description: 'The variables to set.' }),
    },
    description: `Sets several variables in one step. Either all of the variables are set or none are. ${describeRole('project:write-variables')}.`,
    resolve: (_root, { input }, { actor }) => setVariables(actor, input),
  }),
  variableDelete: t.boolean({
    nullable: true,
    args: {
      input: t.arg({ type: VariableDeleteInput, required: true, description: 'The variable to delete.' }),
    },
    description: `Deletes a variable. Returns true. ${describeRole('project:write-variables')}.`,
    resolve: async (_root, { input: { projectId: _projectId, serviceId, ...input } }, { actor }) => {
      if (serviceId != null) {
        throw badInput('serviceId', 'Variables belong to environments. Omit `serviceId`.')
      }
      await deleteVariable(actor, input)
      return true
    },
  }),
}))
