import { expect, it } from 'vitest'
import { runInBackground, settleBackgroundWork } from '@/lib/base/process/background'
import { makeUser } from '@/lib/testing/factories'
import { type Db, inTransaction, prisma } from './prisma'

/** The same change, made by the Prisma client and by an SQL statement. */
const changes: Record<string, (tx: Db, id: string, name: string) => Promise<unknown>> = {
  'an update through Prisma': (tx, id, name) => tx.user.update({ where: { id }, data: { name } }),
  'raw SQL': (tx, id, name) => tx.$executeRaw`UPDATE users SET name = ${name} WHERE id = ${id}::uuid`,
}

it.each(Object.entries(changes))(
  'a transaction is retried if PostgreSQL cancels its statement to resolve a deadlock: %s',
  async (_, change) => {
    const mailed: string[] = []
    const [one, other] = [await makeUser(), await makeUser()]
    let begun = 0
    let goOn: () => void = () => undefined
    const bothHoldOne = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const rename = (first: string, second: string, name: string) =>
      inTransaction(async (tx) => {
        await change(tx, first, name)
        runInBackground('a mail', async () => mailed.push(name))
        if (++begun === 2) goOn()
        await bothHoldOne
        await change(tx, second, name)
        return name
      })
    const names = await Promise.all([rename(one.id, other.id, 'Ada'), rename(other.id, one.id, 'Grace')])
    expect(names).toEqual(['Ada', 'Grace'])
    // The retried transaction can lock its first row again before the other transaction does, which leads to
    // another deadlock.
    expect(begun).toBeGreaterThanOrEqual(3)
    await settleBackgroundWork()
    // The background work of canceled attempts must be discarded.
    expect(mailed.sort()).toEqual(['Ada', 'Grace'])
    const rows = await prisma().user.findMany({ where: { id: { in: [one.id, other.id] } } })
    expect(new Set(rows.map(({ name }) => name)).size).toBe(1)
  },
)

it('a failed transaction starts no background work', async () => {
  const mailed: string[] = []
  const failing = inTransaction(async () => {
    runInBackground('a mail', async () => mailed.push('in vain'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await settleBackgroundWork()
  expect(mailed).toEqual([])
})
