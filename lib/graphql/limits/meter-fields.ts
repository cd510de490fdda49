import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
} from 'graphql'
import type { GraphQLContext } from '../context'
import { points } from './list-sizes'

/**
 * Has every field of a schema count what it answers against the budget of its request, and fail once that is spent.
 * @returns the same schema
 */
export function meterFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) field.resolve = metered(field)
  }
  return schema
}

function metered(field: GraphQLField<unknown, GraphQLContext>): typeof field.resolve {
  const resolve = field.resolve ?? defaultFieldResolver
  const each = isLeafType(getNamedType(field.type)) ? points.scalar : points.object
  return (source, args, context, info) => {
    context.budget.check()
    const count = (value: unknown) => {
      context.budget.spend(value, each)
      return value
    }
    const value = resolve(source, args, context, info)
    return value instanceof Promise ? value.then(count) : count(value)
  }
}
