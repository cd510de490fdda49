import { expect, it } from 'vitest'
import { readQuestion, usage } from './options'

it('uses defaults for missing options', () => {
  expect(readQuestion(['--people', '5e6', '--api', 'userinfo-native'])).toMatchObject({
    platform: { people: 5_000_000, active: 0.1, pool: 10 },
    ...{ api: 'userinfo-native', refresh: 'refresh-native', costs: 'docs/performance/costs.json' },
  })
})

it.each([
  [['--people', 'many'], '--people is a number of at least 1, not "many".'],
  [['--people', ''], '--people is a number of at least 1, not "".'],
  [['--people', '-5'], "'--people' argument is ambiguous"],
  [['--active', '2'], '--active is a number of at least 0 and at most 1, not "2".'],
  [['--busy', '0'], '--busy is a number of at least 0.05 and at most 1, not "0".'],
  [['--api', 'everything'], '--api is one of graphql-me'],
  [['--persons', '3'], "Unknown option '--persons'"],
  [['10000000'], "Unexpected argument '10000000'"],
])('reports %j with a sentence', (words, sentence) => expect(() => readQuestion(words)).toThrow(sentence))

it('lists every option in its help', () => {
  expect(readQuestion(['--help'])).toBeUndefined()
  for (const name of ['people', 'active', 'sign-ins', 'database-cores', 'api', 'costs'])
    expect(usage).toContain(`--${name} `)
})
