import { afterEach, expect, it } from 'vitest'
import { runInBackground } from './background'
import { gather } from './gather'
import { isFrozenWhenIdle, setKeeper } from './keep-awake'
import { settleLater } from './settle-later'

const kept: Promise<unknown>[] = []
afterEach(() => kept.splice(0))

it('holds nothing where a process lasts', () => {
  expect(isFrozenWhenIdle()).toBe(false)
})

it('what is noted is written before the function is frozen, in as few writings as its requests allow', async () => {
  setKeeper((work) => kept.push(work))
  const written: number[][] = []
  const noted = gather<number>('noted by a function', {
    afterMs: 3_600_000,
    merge: (earlier, later) => earlier + later,
    write: async (items) => {
      // Other requests note more while the database is at it.
      await new Promise(setImmediate)
      written.push([...items.values()])
    },
  })
  for (const one of ['a', 'b', 'a']) noted.add(one, 1)
  expect(kept.length).toBeGreaterThan(0)
  await Promise.all(kept)
  expect(written).toEqual([[2, 1]])
  noted.add('a', 5)
  await Promise.all(kept)
  expect(written).toEqual([[2, 1], [5]])
})

it('what could not be written is told, stays noted, and goes with the next', async () => {
  let fails = true
  const written: string[] = []
  const noted = new Set<string>()
  const settling = settleLater('settled by a function', 3_600_000, async () => {
    if (fails) throw new Error('the database is away')
    written.push(...noted)
    noted.clear()
  })
  noted.add('first')
  settling.soon()
  await expect(Promise.all(kept)).resolves.toBeDefined()
  expect(written).toEqual([])
  fails = false
  noted.add('second')
  settling.soon()
  await Promise.all(kept)
  expect(written).toEqual(['first', 'second'])
})

it('work that no request waits for is done before the function is frozen', async () => {
  let done = false
  runInBackground('a mail', async () => {
    await new Promise(setImmediate)
    done = true
  })
  expect(kept).toHaveLength(1)
  await Promise.all(kept)
  expect(done).toBe(true)
})
