import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser } from '@/lib/testing/factories'
import { forgetReplica, listReplicas, noteReplica } from './replicas'

let instanceAdmin: SessionActor
beforeEach(async () => {
  await prisma().replica.deleteMany()
  const { id } = await makeUser({ instanceAdmin: true })
  instanceAdmin = { kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: true }
})

const replica = (host: string, uptimeSeconds = 60) => ({
  id: randomUUID(),
  host,
  release: '2.0.0',
  uptimeSeconds,
})
const well = {
  jobs: true,
  pool: { used: 1, most: 8, waiting: 0 },
  lateMs: 2,
  memoryBytes: 1e8,
  node: 'v20.20.2',
  pid: 7,
}

/** Simulates a process that has not reported for some time. */
const quietFor = (id: string, seconds: number) =>
  prisma()
    .$executeRaw`UPDATE replicas SET seen_at = now() - make_interval(secs => ${seconds}) WHERE id = ${id}::uuid`

it('server processes are listed with their latest reports, longest-running first, until they shut down', async () => {
  const [young, old] = [replica('young', 10), replica('old', 7_200)]
  await noteReplica(young, well)
  await noteReplica(old, { ...well, trouble: 'migrations are missing' })
  await noteReplica(young, { ...well, pool: { used: 8, most: 8, waiting: 3 } })
  expect(await listReplicas(instanceAdmin)).toMatchObject([
    { host: 'old', trouble: 'migrations are missing', silent: false },
    { host: 'young', pool: { used: 8, most: 8, waiting: 3 }, silent: false, release: '2.0.0' },
  ])
  await forgetReplica(old.id)
  expect((await listReplicas(instanceAdmin)).map(({ host }) => host)).toEqual(['young'])
})

it('a process that stopped reporting is marked as silent and is removed after ten minutes', async () => {
  const [killed, living] = [replica('killed'), replica('living')]
  await noteReplica(killed, well)
  await quietFor(killed.id, 46)
  await noteReplica(living, well)
  // Both processes might have started in the same millisecond, so their order is undefined.
  expect((await listReplicas(instanceAdmin)).map(({ host, silent }) => [host, silent]).sort()).toEqual([
    ['killed', true],
    ['living', false],
  ])
  await quietFor(killed.id, 601)
  await noteReplica(living, well)
  expect((await listReplicas(instanceAdmin)).map(({ host }) => host)).toEqual(['living'])
})

it('a report from a replica that runs another release is accepted even if fields are missing or unknown', async () => {
  const { id } = replica('another')
  await noteReplica({ ...replica('another'), id }, well)
  await prisma().$executeRaw`UPDATE replicas SET state = '{"pool": 7, "new": true}' WHERE id = ${id}::uuid`
  expect(await listReplicas(instanceAdmin)).toMatchObject([{ host: 'another', jobs: false, lateMs: 0 }])
})
