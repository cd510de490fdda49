import { GraphQLError } from 'graphql'
import { badInput } from '@/lib/base/errors/app-error'
import { type Factors, listFactors } from '@/lib/features/identity/passkeys/manage-passkeys'
import { deleteProject } from '@/lib/features/projects/delete-project'
import { setVariables } from '@/lib/features/projects/set-variables'
import { builder, takes } from '../builder'

/** Operations that only tools of similar APIs send, under their names. See ADR 0016. */
const compatibility = 'Compatibility field for clients of similar APIs.'

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => typeof each === 'string')

builder.scalarType('EnvironmentVariables', {
  description: `${compatibility} Variables by their names, each with its value. Only in questions.`,
  serialize: () => {
    throw new GraphQLError('EnvironmentVariables can only be used as input.')
  },
  parseValue: (value) => {
    if (!isTexts(value)) throw new GraphQLError('EnvironmentVariables must be an object with string values.')
    return value
  },
})

const CollectionInput = builder.inputType('VariableCollectionUpsertInput', {
  description: `${compatibility} Several variables by their names.`,
  fields: (t) => ({
    environmentId: t.id({ required: true, description: 'The environment.' }),
    variables: t.field({ type: 'EnvironmentVariables', required: true, description: 'At most 100.' }),
    replace: t.boolean({ description: 'Delete all others of the environment.' }),
    projectId: t.id({ description: 'The project of the environment, which says it too.' }),
    serviceId: t.id({
      description: 'To be left out, as variables belong to environments; any value is refused.',
    }),
    skipDeploys: t.boolean({ description: 'Changes nothing: nothing is deployed here.' }),
  }),
})

builder.mutationFields((t) => ({
  variableCollectionUpsert: t.boolean({
    nullable: true,
    args: { input: t.arg({ type: CollectionInput, required: true, description: 'The variables.' }) },
    description: `${compatibility} Sets several variables in one step, as \`variablesUpsert\` does. ${takes('project:write-variables')}. Answers true.`,
    resolve: async (_root, { input: { environmentId, variables, replace, serviceId } }, { actor }) => {
      if (serviceId != null) {
        throw badInput('serviceId', 'Variables belong to environments. Omit the service.')
      }
      const list = Object.entries(variables).map(([name, value]) => ({ name, value }))
      await setVariables(actor, { environmentId, variables: list, replace })
      return true
    },
  }),
  projectScheduleDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the project.' }) },
    description: `${compatibility} Deletes a project at once, as \`projectDelete\` does, to be restored for some days. ${takes('project:delete')}. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteProject(actor, id)
      return true
    },
  }),
}))

const TwoFactorInfo = builder.objectRef<Factors>('TwoFactorInfo').implement({
  description: `${compatibility} What \`twoFactorMethods\` says, in short.`,
  fields: (t) => ({
    isVerified: t.exposeBoolean('enrolled', { description: 'Whether signing in takes a second step.' }),
    hasRecoveryCodes: t.boolean({
      description: 'Whether recovery codes are left.',
      resolve: ({ recoveryCodes }) => recoveryCodes > 0,
    }),
  }),
})

builder.queryField('twoFactorInfo', (t) =>
  t.field({
    type: TwoFactorInfo,
    nullable: true,
    description: `${compatibility} What the person signs in with beside the password, in short. Not for apps.`,
    resolve: (_root, _args, { actor }) => listFactors(actor),
  }),
)
