import { expect, it } from 'vitest'
import { keepResults } from './keep-results'

it('makes each result once, and never keeps more than it may', () => {
  const made: string[] = []
  const upper = keepResults(2, (text) => {
    made.push(text)
    return text.toUpperCase()
  })
  expect(['a', 'a', 'b', 'a'].map(upper)).toEqual(['A', 'A', 'B', 'A'])
  expect(made).toEqual(['a', 'b'])
  expect(['c', 'a', 'c'].map(upper)).toEqual(['C', 'A', 'C'])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})
