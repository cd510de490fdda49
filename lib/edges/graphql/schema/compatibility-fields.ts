import { GraphQLError } from 'graphql'
import { badInput } from '@/lib/base/errors/app-error'
import { type Factors, listFactors } from '@/lib/features/identity/passkeys/manage-passkeys'
import { deleteProject } from '@/lib/features/projects/delete-project'
import { setVariables } from '@/lib/features/projects/set-variables'
import { builder, compatibility, describeRole, notForApps } from '../builder'

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => typeof each === 'string')

builder.scalarType('EnvironmentVariables', {
  description: `${compatibility} An object that maps variable names to values. Used only as input.`,
  serialize: () => {
    throw new GraphQLError('EnvironmentVariables can only be used as input.')
  },
  parseValue: (value) => {
    if (!isTexts(value)) throw new GraphQLError('EnvironmentVariables must be an object with string values.')
    return value
  },
})

const CollectionInput = builder.inputType('VariableCollectionUpsertInput', {
  description: `${compatibility} A set of variables, by name.`,
  fields: (t) => ({
    environmentId: t.id({ required: true, description: 'The ID of the environment.' }),
    variables: t.field({
      type: 'EnvironmentVariables',
      required: true,
      description: 'The variables. Maximum: 100.',
    }),
    replace: t.boolean({
      description: 'Whether to delete all other variables of the environment. Default: false.',
    }),
    projectId: t.id({
      description: 'The ID of the project. Not needed, because `environmentId` determines it.',
    }),
    serviceId: t.id({
      description: 'Omit this field: variables belong to environments, so any value is rejected.',
    }),
    skipDeploys: t.boolean({
      description: 'This field has no effect, because Latchkey does not deploy services.',
    }),
  }),
})

builder.mutationFields((t) => ({
  variableCollectionUpsert: t.boolean({
    nullable: true,
    args: { input: t.arg({ type: CollectionInput, required: true, description: 'The variables to set.' }) },
    description: `${compatibility} Sets several variables in one step, like \`variablesUpsert\`. Returns true. ${describeRole('project:write-variables')}.`,
    resolve: async (_root, { input: { environmentId, variables, replace, serviceId } }, { actor }) => {
      if (serviceId != null) {
        throw badInput('serviceId', 'Variables belong to environments. Omit `serviceId`.')
      }
      const list = Object.entries(variables).map(([name, value]) => ({ name, value }))
      await setVariables(actor, { environmentId, variables: list, replace })
      return true
    },
  }),
  projectScheduleDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the project.' }) },
    description: `${compatibility} Deletes a project immediately, like \`projectDelete\`. You can restore it for several days. Returns true. ${describeRole('project:delete')}.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteProject(actor, id)
      return true
    },
  }),
}))

const TwoFactorInfo = builder.objectRef<Factors>('TwoFactorInfo').implement({
  description: `${compatibility} A summary of \`twoFactorMethods\`.`,
  fields: (t) => ({
    isVerified: t.exposeBoolean('enrolled', {
      description: 'Whether two-factor authentication is required to sign in.',
    }),
    hasRecoveryCodes: t.boolean({
      description: 'Whether unused recovery codes remain.',
      resolve: ({ recoveryCodes }) => recoveryCodes > 0,
    }),
  }),
})

builder.queryField('twoFactorInfo', (t) =>
  t.field({
    type: TwoFactorInfo,
    nullable: true,
    description: `${compatibility} A summary of the user’s two-factor authentication. ${notForApps}`,
    resolve: (_root, _args, { actor }) => listFactors(actor),
  }),
)
