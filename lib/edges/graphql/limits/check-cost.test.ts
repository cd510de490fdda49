import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
  parse,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '../schema'
import { costOf, isPaged, isPageOf, listSizes, wholeLists } from './check-cost'

/** Every list in the schema must have an estimated size, and the table must contain no other fields. */
const types = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !isIntrospectionType(type),
)
const lists = types
  .filter((type) => !isPageOf(type))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => isPaged(field) || isListType(getNullableType(field.type)))
      .map((field) => ({ coordinate: `${type.name}.${field.name}`, type, paged: isPaged(field) })),
  )

const cost = (query: string) => {
  const document = parse(query)
  const [operation] = document.definitions
  if (operation?.kind !== 'OperationDefinition') throw new Error('no operation')
  return costOf(schema, document, operation, {})
}

/** Every root list, with the scalar fields of its rows. */
const pages = Object.values(schema.getQueryType()?.getFields() ?? {})
  .filter(isPaged)
  .map(({ name, type }) => {
    const { nodes } = (getNullableType(type) as GraphQLObjectType).getFields()
    const row = nodes && getNamedType(nodes.type)
    const leaves = Object.values(isObjectType(row) ? row.getFields() : {})
      .filter((field) => isLeafType(getNamedType(field.type)))
      .map((field) => field.name)
    return [name, leaves] as const
  })

describe('the cost of lists', () => {
  it.each(pages)(
    'stays within the limit for a page of %s with all scalar fields of its rows',
    (name, leaves) => {
      expect(leaves.length).toBeGreaterThan(2)
      expect(
        cost(`{ ${name} { totalCount pageInfo { hasNextPage endCursor } nodes { ${leaves.join(' ')} } } }`),
      ).toBeLessThan(5_000)
    },
  )

  it.each(lists)('is higher than the cost of one row for $coordinate', ({ coordinate, type, paged }) => {
    const field = type.getFields()[coordinate.split('.')[1] as string]
    const leaf = field && /^\[?(ID|String|Int)/.test(String(field.type))
    const below = leaf ? '' : paged ? '{ edges { cursor } }' : '{ __typename }'
    // Use the parent type as the root type, because the levels above it do not affect the cost.
    const document = parse(`{ ${field?.name} ${below} }`)
    const [operation] = document.definitions
    if (operation?.kind !== 'OperationDefinition') throw new Error('no operation')
    const rooted = {
      getRootType: () => type,
      getType: schema.getType.bind(schema),
    } as unknown as typeof schema
    const one = leaf ? 1 : paged ? 5 : 3
    expect(costOf(rooted, document, operation, {})).toBeGreaterThanOrEqual(2 * one)
  })

  it('is based on a table that contains only lists that exist in the schema', () => {
    const known = lists.map(({ coordinate }) => coordinate)
    const listed = [...Object.keys(listSizes), ...wholeLists]
    expect(listed.filter((coordinate) => !known.includes(coordinate))).toEqual([])
  })

  it('depends on the page size in the query, or on the default page size', () => {
    const page = (args: string) =>
      `{ projects${args} { edges { node { id name } } pageInfo { hasNextPage } } }`
    const row = 2 + 2 + 2 + 2 + 1
    expect(cost(page('(first: 7)'))).toBe(2 + 7 * row)
    expect(cost(page('(last: 7)'))).toBe(2 + 7 * row)
    expect(cost(page(''))).toBe(2 + 50 * row)
  })

  it('includes all rows that must be read to select a page', () => {
    const preview =
      'workspaceAppPolicyPreview(workspaceId: "w", policy: OWN, first: 1) { nodes { clientId } }'
    expect(cost(`{ ${preview} }`)).toBe(2 + 1_000 + (2 + 1))
    const times = (many: number) => Array.from({ length: many }, (_, at) => `p${at}: ${preview}`).join(' ')
    expect(cost(`{ ${times(4)} }`)).toBeLessThan(5_000)
    expect(cost(`{ ${times(5)} }`)).toBeGreaterThan(5_000)
  })

  it('depends on the number of IDs in the query', () => {
    const three = '{ nodes(ids: ["a", "b", "c"]) { id } projectsByIds(ids: "a") { id } }'
    expect(cost(three)).toBe(3 * (2 + 1) + 1 * (2 + 1))
  })

  it('exceeds the limit for a short query that requests every member a hundred times', () => {
    const projects =
      'projects(first: 100) { edges { node { workspace { members { id name email role } } } } }'
    expect(cost(`{ ${projects} }`)).toBeGreaterThan(5_000)
  })

  it('includes a fragment each time it is spread', () => {
    const fragment = 'fragment p on ProjectConnection { edges { node { id } } }'
    const once = cost(`{ projects(first: 10) { ...p } } ${fragment}`)
    expect(once).toBe(cost('{ projects(first: 10) { edges { node { id } } } }'))
    expect(
      cost(
        `{ a: projects(first: 10) { ...p } b: projects(first: 10) { ...p ... on ProjectConnection { ...p } } } ${fragment}`,
      ),
    ).toBe(once + 2 + 2 * (once - 2))
  })

  it('is calculated even for introspection, which is public', () => {
    expect(cost('{ __schema { types { name } } }')).toBe(1_000)
    expect(cost('{ __type(name: "User") { name } __typename }')).toBe(101)
  })
})
