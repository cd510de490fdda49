import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql'
import { builder } from '../builder'
import type { GraphQLContext } from '../context'
import { meterFields } from '../limits/answer-budget'
import { nameEnumValues } from './enum-values'
import './scalars'
import './node'
import './user'
import './workspace'
import './member'
import './invitation'
import './project'
import './environment'
import './variable'
import './api-token'
import './workspace-token'
import './current-token'
import './oauth-app'
import './oauth-app-activity'
import './oauth-app-branding'
import './oauth-app-transfer'
import './authorized-app'
import './ssh-key'
import './notification'
import './two-factor-methods'
import './session'
import './api'
import './audit-log'
import './webhook'
import './workspace-app'
import './workspace-app-policy'
import './workspace-identity-provider'
import './workspace-managed-app'
import './app-installation'
import './compatibility-fields'
import './search'
import './relations'
import './references'

/**
 * Makes each mutation store its name and coerced arguments in the actor while it runs, if the caller is an
 * app that acts for a user. The policy binds approvals to this data. Approvals therefore do not depend on
 * aliases, variables, defaults, or the order of arguments. The actor has room for only one mutation. This is
 * sufficient, because a mutation's root fields run one after another (GraphQL specification, section 6.2.2),
 * and nested fields only read data.
 * @returns the same schema
 */
function announceMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.resolve = announced(field)
  }
  return schema
}

function announced(field: GraphQLField<unknown, GraphQLContext>): typeof field.resolve {
  const resolve = field.resolve ?? defaultFieldResolver
  return async (source, args, context, info) => {
    const { actor } = context
    if (actor.kind !== 'oauth') return resolve(source, args, context, info)
    const reading = actor.operation
    actor.operation = { kind: 'change', name: info.fieldName, args }
    try {
      return await resolve(source, args, context, info)
    } finally {
      actor.operation = reading
    }
  }
}

/** The complete schema. `schema.graphql` is its printed form. */
export const schema = meterFields(announceMutations(nameEnumValues(builder.toSchema())))
