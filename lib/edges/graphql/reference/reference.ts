import { parse, print } from 'graphql'
import { remember } from '@/lib/base/process/remember'
import { schema } from '../schema'
import { describeSchema, type Reference, type ReferenceEntry } from './describe-schema'
import { examples } from './examples'

export type { Reference }

/** The product's own schema as the docs show it, described once. */
export const reference = (): Reference =>
  remember('graphql reference', () => {
    const { queries, mutations, subscriptions, types } = describeSchema(schema)
    return {
      queries: queries.map(withExample),
      mutations: mutations.map(withExample),
      subscriptions: subscriptions.map(withExample),
      types,
    }
  })

/** An operation of a team's own has none until somebody writes it. */
function withExample(entry: ReferenceEntry): ReferenceEntry {
  const example = examples[entry.name]
  return example ? { ...entry, example: print(parse(example)) } : entry
}
