import { expect, it } from 'vitest'
import { nameOfQuery, savedQueries } from './query-shelf'

const browser = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}

it('the query shelf keeps saved queries, replaces a query with the same name, and removes deleted queries', () => {
  const saved = savedQueries(browser(), 'ada')
  saved.save({ name: ' Me ', query: '{ me { id } }' })
  saved.save({ name: 'Mine', query: '{ projects { nodes { id } } }' })
  expect(saved.save({ name: 'Me', query: '{ me { name } }' })).toEqual([
    { name: 'Mine', query: '{ projects { nodes { id } } }' },
    { name: 'Me', query: '{ me { name } }' },
  ])
  expect(saved.remove('Mine')).toEqual([{ name: 'Me', query: '{ me { name } }' }])
  expect(saved.save({ name: '  ', query: 'x' })).toHaveLength(1)
})

it('the query shelf does not show another user’s queries from the same browser', () => {
  const storage = browser()
  savedQueries(storage, 'ada').save({ name: 'Me', query: '{ me { id } }' })
  expect(savedQueries(storage, 'grace').read()).toEqual([])
  expect(savedQueries(storage, undefined).read()).toEqual([])
})

it.each(['{', 'null', '{"a":1}', '[1, null, {"name": 1}]'])(
  'the query shelf ignores the invalid value %s in the browser’s storage',
  (stored) =>
    expect(savedQueries({ getItem: () => stored, setItem: () => undefined }, 'ada').read()).toEqual([]),
)

it('the query shelf keeps the last hundred queries, and continues to work if the storage is full', () => {
  const saved = savedQueries(browser(), 'ada')
  for (let at = 0; at < 110; at++) saved.save({ name: `q${at}`, query: '{ me { id } }' })
  expect(saved.read().map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, at) => `q${at + 10}`))
  const full = savedQueries(
    {
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    },
    'ada',
  )
  expect(full.save({ name: 'a', query: 'b' })).toEqual([])
})

it.each([
  ['query Me { me { id } }', 'Me'],
  ['# first\nmutation  Make($a: ID!) { x }', 'Make'],
  ['{ me { id } }', ''],
])('the query shelf finds the operation name in the query %s', (query, name) =>
  expect(nameOfQuery(query)).toBe(name),
)
