import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isNullableType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { GraphQLContext } from '../context'
import { points } from './check-cost'

/** By the nodes of a field, which are the same for each of the rows of a list. */
const known = new WeakMap<readonly FieldNode[], number>()

/**
 * How often the selection of a field names `__typename`, which graphql-js answers itself, past every resolver. Whatever
 * the type of a row: a fragment for another type counts too.
 */
function countTypenames({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const before = known.get(fieldNodes)
  if (before !== undefined) return before
  const ofFragments = new Map<string, number>()

  /** Once for each fragment, as in `costOf`. */
  const ofFragment = (name: string): number => {
    const counted = ofFragments.get(name) ?? ofSet(fragments[name]?.selectionSet)
    ofFragments.set(name, counted)
    return counted
  }
  const ofSet = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + (selection.name.value === '__typename' ? 1 : 0)
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + ofSet(selection.selectionSet)
      return sum + ofFragment(selection.name.value)
    }, 0)
  const count = fieldNodes.reduce((sum, { selectionSet }) => sum + ofSet(selectionSet), 0)
  known.set(fieldNodes, count)
  return count
}

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
