import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { maxPageSize } from '@/lib/base/db/keyset'
import { listSize, points, wholeLists } from './list-sizes'

type Variables = Record<string, unknown> | undefined

/**
 * Adds up what an operation costs at most: an object 2 points, a scalar 1, and whatever is in a list as often as the list
 * has rows. A connection has as many as its page, a list of what `ids` name as many as there are ids, another one as many as
 * `listSizes` says. One that is read whole for its page costs that, too. Directives do not count:
 * what `@skip` leaves out is paid for.
 * @param document validated, so that its fields and fragments exist and do not form a cycle
 * @param variables with the defaults of those left out
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  const fragments = new Map<string, number>()

  const ofSet = ({ selections }: SelectionSetNode, parent: GraphQLCompositeType): number =>
    selections.reduce((sum, selection) => sum + ofSelection(selection, parent), 0)

  const ofSelection = (selection: SelectionNode, parent: GraphQLCompositeType): number => {
    if (selection.kind === Kind.FIELD) return ofField(selection, parent)
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value)
    const { typeCondition, selectionSet } = selection
    return ofSet(selectionSet, typeCondition ? typeNamed(typeCondition.name.value) : parent)
  }

  /** Once for each fragment: a few that spread each other twice would else be walked through without end. */
  const ofFragment = (name: string): number => {
    const known = fragments.get(name)
    if (known !== undefined) return known
    const fragment = document.definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name,
    )
    const cost =
      fragment?.kind === Kind.FRAGMENT_DEFINITION
        ? ofSet(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value))
        : 0
    fragments.set(name, cost)
    return cost
  }

  const ofField = (node: FieldNode, parent: GraphQLCompositeType): number => {
    if (node.name.value === '__schema') return points.schema
    if (node.name.value === '__type') return points.type
    const field = 'getFields' in parent ? parent.getFields()[node.name.value] : undefined
    if (!field) return points.scalar
    const rows = rowsOf(field, node, parent, variables)
    const type = getNamedType(field.type)
    if (isLeafType(type)) return rows * points.scalar
    const below = node.selectionSet ? ofSet(node.selectionSet, type as GraphQLCompositeType) : 0
    if (!isPaged(field)) return rows * (points.object + below)
    const whole = wholeLists.has(`${parent.name}.${field.name}`) ? points.whole : 0
    return points.object + whole + rows * below
  }

  const typeNamed = (name: string) => schema.getType(name) as GraphQLCompositeType
  const root = schema.getRootType(operation.operation)
  return root ? ofSet(operation.selectionSet, root) : 0
}

type Field = GraphQLField<unknown, unknown>

/** Whether a field is a connection, whose page the query chooses. */
export const isPaged = (field: Field): boolean => field.args.some(({ name }) => name === 'first')

/** How many values a field is priced for. The rows of a connection are counted at the connection. */
function rowsOf(field: Field, node: FieldNode, parent: GraphQLCompositeType, variables: Variables): number {
  const size = () => listSize(`${parent.name}.${field.name}`, isPaged(field))
  if (isPaged(field)) return statedSize(node, variables) || size()
  if (!isListType(getNullableType(field.type)) || isPageOf(parent)) return 1
  const ids = node.arguments?.find(isIds)
  return ids ? countIds(ids, variables) : size()
}

/** Whether a type is a connection itself. */
export const isPageOf = (type: GraphQLCompositeType): boolean =>
  'getFields' in type && type.getFields().pageInfo !== undefined

export const isPageSize = (argument: ArgumentNode): boolean =>
  argument.name.value === 'first' || argument.name.value === 'last'

/** Whether an argument names the rows of a list, each of which is asked for. */
export const isIds = (argument: ArgumentNode): boolean => argument.name.value === 'ids'

/** How many ids there are; what is no list is one of one. */
function countIds({ value }: ArgumentNode, variables: Variables): number {
  if (value.kind === Kind.LIST) return value.values.length
  const given = value.kind === Kind.VARIABLE ? variables?.[value.name.value] : undefined
  return Array.isArray(given) ? given.length : 1
}

/** The page size that a query states, 0 for none. */
const statedSize = (node: FieldNode, variables: Variables): number =>
  Math.max(0, ...(node.arguments ?? []).filter(isPageSize).map(sizeIn(variables)))

/** A size that is no number fails on its own; until then it counts as the largest. */
const sizeIn =
  (variables: Variables) =>
  ({ value }: ArgumentNode): number => {
    if (value.kind === Kind.INT) return Number(value.value)
    if (value.kind !== Kind.VARIABLE) return 0
    const given = variables?.[value.name.value]
    return given == null ? 0 : typeof given === 'number' ? given : maxPageSize
  }
