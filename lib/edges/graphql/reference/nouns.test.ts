import { expect, it } from 'vitest'
import { schema } from '../schema'
import { describeSchema } from './describe-schema'
import { byNoun } from './nouns'

const reference = describeSchema(schema)

it('every operation stands on the page of one noun', () => {
  const shown = byNoun(reference).flatMap(({ queries, mutations }) => [...queries, ...mutations])
  const names = shown.map(({ name }) => name)
  expect(names.sort()).toEqual([...reference.queries, ...reference.mutations].map(({ name }) => name).sort())
})

it('a noun of a team’s own has a page without being told of', () => {
  const entry = { name: 'deploymentStart', description: '', arguments: [] }
  expect(byNoun({ queries: [], mutations: [entry] })).toEqual([
    { slug: 'more', title: 'More', queries: [], mutations: [entry] },
  ])
})
