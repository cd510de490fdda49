import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '../schema/index'
import { byNoun, describeSchema, type Operations, type ReferenceEntry } from './reference'

const reference = describeSchema(schema)
const operationsOf = ({ queries, mutations, subscriptions }: Operations) => [
  ...queries,
  ...mutations,
  ...subscriptions,
]

it('every operation is on exactly one reference page', () => {
  const shown = byNoun(reference).flatMap(operationsOf)
  const names = shown.map(({ name }) => name)
  expect(names.sort()).toEqual(
    operationsOf(reference)
      .map(({ name }) => name)
      .sort(),
  )
})

it('an operation with an unknown noun is on the reference page “More”', () => {
  const entry = { name: 'deploymentStart', description: '', arguments: [] }
  expect(byNoun({ queries: [], mutations: [entry], subscriptions: [] })).toEqual([
    { slug: 'more', title: 'More', queries: [], mutations: [entry], subscriptions: [] },
  ])
})

const small = buildSchema(`
  type Query { "One thing." thing("Its id." id: ID!): Thing @deprecated(reason: "2027-01-01: use things") }
  "A thing." type Thing { "Its kinds." kinds: [Kind!]! }
  enum Kind { "Large." LARGE }
  input ThingInput { "A name." name: String = "x" }
  union Any = Thing
  scalar Moment
`)

describe('the reference of a schema', () => {
  const reference = describeSchema(small)

  it('describes root fields with their arguments, types, and deprecations', () => {
    expect(reference.queries).toEqual([
      {
        name: 'thing',
        description: 'One thing.',
        type: 'Thing',
        named: 'Thing',
        deprecated: '2027-01-01: use things',
        arguments: [{ name: 'id', description: 'Its id.', type: 'ID!', named: 'ID', arguments: [] }],
      },
    ])
    expect([reference.mutations, reference.subscriptions]).toEqual([[], []])
  })

  it('lists each kind of type, but no root or introspection types', () => {
    const own = reference.types.filter(({ name }) => !['ID', 'String', 'Boolean'].includes(name))
    expect(own.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'Any union',
      'Kind enum',
      'Moment scalar',
      'Thing object',
      'ThingInput input',
    ])
    const entries = Object.fromEntries(own.map(({ name, entries }) => [name, entries[0]]))
    expect(entries.Thing).toMatchObject({ name: 'kinds', type: '[Kind!]!', named: 'Kind' })
    expect(entries.Kind).toMatchObject({ name: 'LARGE', description: 'Large.' })
    expect(entries.ThingInput).toMatchObject({ name: 'name', type: 'String' })
    expect(entries.Any).toMatchObject({ name: 'Thing', named: 'Thing' })
    expect(entries.Moment).toBeUndefined()
  })
})

describe('the reference of the product', () => {
  const reference = describeSchema(schema)

  it('has a description for every operation, argument, type, and field', () => {
    const silent =
      (owner: string) =>
      (entry: ReferenceEntry): string[] => [
        ...(entry.description ? [] : [`${owner}.${entry.name}`]),
        ...entry.arguments.flatMap(silent(`${owner}.${entry.name}`)),
      ]
    expect([
      ...reference.queries.flatMap(silent('Query')),
      ...reference.mutations.flatMap(silent('Mutation')),
      ...reference.subscriptions.flatMap(silent('Subscription')),
      ...reference.types.filter((type) => !type.description).map((type) => type.name),
      ...reference.types.flatMap((type) => type.entries.flatMap(silent(type.name))),
    ]).toEqual([])
  })

  it('links only to types that it describes', () => {
    const names = reference.types.map((type) => type.name)
    const fields = [
      ...reference.queries,
      ...reference.mutations,
      ...reference.subscriptions,
      ...reference.types.flatMap((t) => t.entries),
    ]
    for (const field of fields.flatMap((each) => [each, ...each.arguments])) {
      if (field.named) expect(names).toContain(field.named)
    }
  })
})
