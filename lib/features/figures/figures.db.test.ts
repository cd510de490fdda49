import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { countStatements } from '@/lib/testing/count-statements'
import { countFigure, figureTally, forgetFigures, timeClassOf } from './count-figure'
import { readFigures } from './read-figures'

const minute = 60_000
const instanceAdmin: SessionActor = {
  kind: 'session',
  userId: randomUUID(),
  sessionId: randomUUID(),
  instanceAdmin: true,
}

it('figures from separate writes are added up, without an SQL statement for each counted event', async () => {
  const now = Date.now()
  const { statements } = await countStatements(async () => {
    for (let count = 0; count < 100; count++) {
      countFigure('requests', 1, now)
      countFigure(timeClassOf(count < 90 ? 20 : 400), 1, now)
    }
    countFigure('errors', 1, now)
    countFigure('sign-ins:good', 1, now)
    countFigure('sign-ins:refused', 2, now)
    countFigure('tokens:refresh_token', 3, now)
    countFigure('requests', 7, now - 60 * minute)
  })
  expect(statements).toEqual([])
  await figureTally.now()
  // Simulate another replica in the same five minutes.
  countFigure('requests', 5, now)
  const slots = await readFigures(instanceAdmin, '24h', now)
  expect(slots).toHaveLength(96)
  const both = slots.reduce((sum, { requests }) => sum + requests, 0)
  expect(both).toBe(112)
  expect(slots.at(-1)).toMatchObject({
    errors: 1,
    signIns: 1,
    signInsRefused: 2,
    tokens: { refresh_token: 3 },
    slow: 375,
    waiting: undefined,
  })
  expect(slots.at(-5)?.requests).toBe(7)
  expect(
    (await readFigures(instanceAdmin, '30d', now)).reduce((sum, { requests }) => sum + requests, 0),
  ).toBe(112)
})

it('figures are visible only to instance admins and are deleted after a month', async () => {
  await expect(readFigures({ ...instanceAdmin, instanceAdmin: false }, '24h')).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  const before = await prisma().figure.count()
  await prisma().figure.create({
    data: { bucket: new Date(Date.now() - 40 * 24 * 60 * minute), measure: 'requests', value: 1 },
  })
  expect(await forgetFigures()).toBe(1)
  expect(await prisma().figure.count()).toBe(before)
})
