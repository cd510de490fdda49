import { expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { readers } from '@/lib/base/db/replicas/readers'
import { endConnections } from '@/lib/base/db/statements'
import { runShutdownTasks } from '@/lib/base/process/background'
import { startHeartbeat } from './health'

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

it('says at once how this process is doing, and at its end that it is gone', async () => {
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

it('looks after read replicas before anybody has read: none that serves is told as left out', async () => {
  process.env.DATABASE_REPLICA_URL = String(process.env.DATABASE_URL)
  resetConfig()
  startHeartbeat()
  await until(async () => readers().replicas.every((replica) => replica.isFresh()))
  await runShutdownTasks()
  await endConnections()
  delete process.env.DATABASE_REPLICA_URL
  resetConfig()
})
