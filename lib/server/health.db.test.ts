import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { runShutdownTasks } from '@/lib/base/process/background'
import { startHeartbeat } from './health'

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

it('a process reports its state when it starts and removes the report when it ends', async () => {
  startHeartbeat()
  await until(async () => (await prisma().replica.count()) === 1)
  expect(await prisma().replica.findMany()).toMatchObject([
    { state: { jobs: true, node: process.version, pool: { most: expect.any(Number) } } },
  ])
  const [{ persistence }] = await prisma().$queryRaw<[{ persistence: string }]>`
    SELECT relpersistence::text AS persistence FROM pg_class WHERE relname = 'replicas'`
  expect(persistence).toBe('u')
  const rest = prisma()
  await runShutdownTasks()
  expect(await rest.replica.count()).toBe(0)
})
