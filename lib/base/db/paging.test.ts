import { expect, it } from 'vitest'
import { firstIdAt, idAt } from './paging'

it('idAt returns UUIDv7 IDs that sort by the given time and then by the order of their creation', () => {
  const moment = new Date('2026-11-23T12:00:00.123Z')
  const ids = Array.from({ length: 1_000 }, () => idAt(moment))
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const [next, before] = [new Date(moment.getTime() + 1), new Date(moment.getTime() - 1)]
  expect([idAt(before) < firstIdAt(moment), firstIdAt(moment) < (ids[0] as string)]).toEqual([true, true])
  expect(idAt(next) > (ids.at(-1) as string)).toBe(true)
})
