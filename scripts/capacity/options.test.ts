import { expect, it } from 'vitest'
import { readQuestion, usage } from './options'

it('readQuestion uses defaults for missing options', () => {
  expect(readQuestion(['--users', '5e6', '--api', 'userinfo-native'])).toMatchObject({
    platform: { users: 5_000_000, active: 0.1, pool: 10 },
    ...{ api: 'userinfo-native', refresh: 'refresh-native', costs: 'docs/performance/costs.json' },
  })
})

it.each([
  [['--users', 'many'], '--users must be a number of at least 1, not "many".'],
  [['--users', ''], '--users must be a number of at least 1, not "".'],
  [['--users', '-5'], "'--users' argument is ambiguous"],
  [['--active', '2'], '--active must be a number of at least 0 and at most 1, not "2".'],
  [['--busy', '0'], '--busy must be a number of at least 0.05 and at most 1, not "0".'],
  [['--api', 'everything'], '--api must be one of graphql-me'],
  [['--seats', '3'], "Unknown option '--seats'"],
  [['10000000'], "Unexpected argument '10000000'"],
])('readQuestion rejects %j with a one-sentence error', (words, sentence) =>
  expect(() => readQuestion(words)).toThrow(sentence),
)

it('the help lists the options', () => {
  expect(readQuestion(['--help'])).toBeUndefined()
  for (const name of ['users', 'active', 'sign-ins', 'database-cores', 'api', 'costs'])
    expect(usage).toContain(`--${name} `)
})
