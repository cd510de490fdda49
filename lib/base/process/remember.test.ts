import { expect, it } from 'vitest'
import { cacheResults } from './remember'

function counted(most: number, longest?: number) {
  const made: string[] = []
  const upper = cacheResults(
    most,
    (text) => {
      made.push(text)
      return text.toUpperCase()
    },
    longest,
  )
  return { made, upper }
}

it('cacheResults computes each result once and evicts only the least recently used result', () => {
  const { made, upper } = counted(2)
  expect(['a', 'a', 'b', 'a'].map(upper)).toEqual(['A', 'A', 'B', 'A'])
  expect(made).toEqual(['a', 'b'])
  expect(['c', 'a', 'c', 'b'].map(upper)).toEqual(['C', 'A', 'C', 'B'])
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

it('cacheResults keeps a result that is in use while thousands of other results are added', () => {
  const { made, upper } = counted(10)
  for (let at = 0; at < 5_000; at++) {
    upper('in use')
    upper(`once ${at}`)
  }
  expect(made.filter((text) => text === 'in use')).toHaveLength(1)
})

it('cacheResults does not cache results for long arguments', () => {
  const { made, upper } = counted(2, 3)
  for (const text of ['long', 'long', 'abc', 'abc']) upper(text)
  expect(made).toEqual(['long', 'long', 'abc'])
})
