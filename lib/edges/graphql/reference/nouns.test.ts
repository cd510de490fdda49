import { expect, it } from 'vitest'
import { schema } from '../schema'
import { describeSchema, type Operations } from './describe-schema'
import { byNoun } from './nouns'

const reference = describeSchema(schema)
const operationsOf = ({ queries, mutations, subscriptions }: Operations) => [
  ...queries,
  ...mutations,
  ...subscriptions,
]

it('every operation stands on the page of one noun', () => {
  const shown = byNoun(reference).flatMap(operationsOf)
  const names = shown.map(({ name }) => name)
  expect(names.sort()).toEqual(
    operationsOf(reference)
      .map(({ name }) => name)
      .sort(),
  )
})

it('a noun of a team’s own has a page without being told of', () => {
  const entry = { name: 'deploymentStart', description: '', arguments: [] }
  expect(byNoun({ queries: [], mutations: [entry], subscriptions: [] })).toEqual([
    { slug: 'more', title: 'More', queries: [], mutations: [entry], subscriptions: [] },
  ])
})
