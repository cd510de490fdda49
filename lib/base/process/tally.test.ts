import { expect, it } from 'vitest'
import { collect } from './tally'

const numbers = (name: string, write: (gathered: ReadonlyMap<string, number[]>) => Promise<void>) =>
  collect<number[]>(name, { afterMs: 60_000, merge: (earlier, later) => [...earlier, ...later], write })

it('collect writes all keys together and only once, and does not write if there are no keys', async () => {
  const written: [string, number[]][][] = []
  const gathering = numbers('test: at once', async (gathered) => void written.push([...gathered]))
  gathering.add('a', [1])
  gathering.add('b', [2])
  gathering.add('a', [3])
  await gathering.now()
  await gathering.now()
  expect(written).toEqual([
    [
      ['a', [1, 3]],
      ['b', [2]],
    ],
  ])
})

it('collect keeps the values of a failed write and places them before later values', async () => {
  let isDown = true
  const written: [string, number[]][] = []
  const gathering = numbers('test: kept', async (gathered) => {
    if (isDown) {
      gathering.add('a', [2])
      throw new Error('the database is away')
    }
    written.push(...gathered)
  })
  gathering.add('a', [1])
  await expect(gathering.now()).rejects.toThrow('away')
  isDown = false
  await gathering.now()
  expect(written).toEqual([['a', [1, 2]]])
})

it('collect drops new keys beyond the limit and has no keys left after a write', async () => {
  const gathering = numbers('test: full', async () => undefined)
  for (let at = 0; at < 10_100; at++) gathering.add(`key ${at}`, [at])
  expect(gathering.size()).toBe(10_000)
  gathering.add('key 0', [1])
  expect(gathering.size()).toBe(10_000)
  await gathering.now()
  expect(gathering.size()).toBe(0)
})
