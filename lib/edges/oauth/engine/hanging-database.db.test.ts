import { afterAll, expect, it } from 'vitest'
import { endConnections } from '@/lib/base/db/pool'
import { breakableDatabasePath } from '@/lib/testing/database-path'
import { freshEngine } from './provider'

const path = await breakableDatabasePath(600)
afterAll(async () => {
  path.close()
  await endConnections().catch(() => undefined)
})

it('publishes its cached keys while the database does not respond', async () => {
  const { fingerprint } = await freshEngine()
  path.become('silent')
  expect((await freshEngine(0)).fingerprint).toBe(fingerprint)
})
