import { expect, it } from 'vitest'
import { takeTurns } from './take-turns'

/** Work that ends when the test says so. */
function works() {
  const begun: number[] = []
  const ends = new Map<number, (error?: Error) => void>()
  return {
    begun,
    begin: (name: number) => () =>
      new Promise<number>((resolve, reject) => {
        begun.push(name)
        ends.set(name, (error) => (error ? reject(error) : resolve(name)))
      }),
    end: (name: number, error?: Error) => ends.get(name)?.(error),
  }
}

const refusal = () => new Error('too many wait')

it('lets so many work at once, the others in the order they came, and refuses when too many wait', async () => {
  const { begun, begin, end } = works()
  const turn = takeTurns(2, 2, refusal)
  const all = [1, 2, 3, 4].map((name) => turn(begin(name)))
  expect(begun).toEqual([1, 2])
  await expect(turn(begin(5))).rejects.toThrow('too many wait')
  end(2)
  await all[1]
  expect(begun).toEqual([1, 2, 3])
  end(1)
  await all[0]
  expect(begun).toEqual([1, 2, 3, 4])
  end(3)
  end(4)
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
})

it('gives the turn on when work fails, and has room again when all are done', async () => {
  const { begun, begin, end } = works()
  const turn = takeTurns(1, 1, refusal)
  const first = turn(begin(1))
  const second = turn(begin(2))
  end(1, new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  end(2)
  await second
  const third = turn(begin(3))
  expect(begun).toEqual([1, 2, 3])
  end(3)
  await third
})
