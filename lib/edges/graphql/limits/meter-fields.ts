import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isNullableType,
  isObjectType,
} from 'graphql'
import type { GraphQLContext } from '../context'
import { countTypenames } from './count-typenames'
import { points } from './list-sizes'

/**
 * Has every field of a schema count what it answers, or that it failed, against the budget of its request, and do nothing
 * more once that is spent.
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
  const leaf = isLeafType(getNamedType(field.type))
  const nullable = isNullableType(field.type)
  return (source, args, context, info) => {
    // Nothing of the answer is sent then, and errors by the ten thousand take seconds to make.
    if (nullable && context.budget.refusal) return null
    context.budget.check()
    const each = leaf ? points.scalar : points.object + countTypenames(info) * points.scalar
    let value: unknown
    try {
      value = resolve(source, args, context, info)
    } catch (error) {
      return fail(error, context, info)
    }
    if (!(value instanceof Promise)) return count(value, context, each)
    return value.then(
      (found) => count(found, context, each),
      (error) => fail(error, context, info),
    )
  }
}

function count(value: unknown, { budget }: GraphQLContext, each: number): unknown {
  budget.spend(value, each)
  return value
}

function fail(error: unknown, { budget }: GraphQLContext, { fieldNodes }: GraphQLResolveInfo): never {
  budget.spendError(fieldNodes.length)
  throw error
}
