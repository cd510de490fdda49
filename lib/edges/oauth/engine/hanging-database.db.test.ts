import { afterAll, expect, it } from 'vitest'
import { endConnections } from '@/lib/base/db/pool'
import { openBreakableDatabasePath } from '@/lib/testing/database-path'
import { engineWithCurrentKeys } from './provider'

const path = await openBreakableDatabasePath(600)
afterAll(async () => {
  path.close()
  await endConnections().catch(() => undefined)
})

it('the server keeps its cached signing keys while the database does not respond', async () => {
  const { fingerprint } = await engineWithCurrentKeys()
  path.become('silent')
  expect((await engineWithCurrentKeys(0)).fingerprint).toBe(fingerprint)
})
