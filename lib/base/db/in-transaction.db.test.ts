import { expect, it } from 'vitest'
import { makePerson } from '@/lib/testing/factories'
import { inTransaction } from './in-transaction'
import { prisma } from './prisma'

it('is run anew when PostgreSQL ends it to undo a deadlock, and both of the two have happened', async () => {
  const [one, other] = [await makePerson(), await makePerson()]
  let begun = 0
  let goOn: () => void = () => undefined
  const bothHoldOne = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const rename = (first: string, second: string, name: string) =>
    inTransaction(async (tx) => {
      await tx.user.update({ where: { id: first }, data: { name } })
      if (++begun === 2) goOn()
      await bothHoldOne
      await tx.user.update({ where: { id: second }, data: { name } })
      return name
    })
  const names = await Promise.all([rename(one.id, other.id, 'Ada'), rename(other.id, one.id, 'Grace')])
  expect(names).toEqual(['Ada', 'Grace'])
  expect(begun).toBe(3)
  const rows = await prisma().user.findMany({ where: { id: { in: [one.id, other.id] } } })
  expect(new Set(rows.map(({ name }) => name)).size).toBe(1)
})
