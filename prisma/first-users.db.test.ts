import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { verifyPassword } from '@/lib/base/credentials/password'
import { prisma } from '@/lib/base/db/prisma'
import { createFirstUsers } from '@/lib/features/instance-admin/create-admin'
import { emptyDatabase } from '@/lib/testing/database'
import { makeUser } from '@/lib/testing/factories'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'

const folder = makeTemporaryData()
afterAll(() => removeTemporaryData(folder))

beforeEach(emptyDatabase)
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

const start = (settings: Record<string, string>) => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  resetConfig()
  return createFirstUsers(() => import('./seed'))
}
const emails = async () => (await prisma().user.findMany()).map(({ email }) => email).sort()

describe('createFirstUsers', () => {
  it('creates no users unless a setting requires it', async () => {
    await start({})
    expect(await emails()).toEqual([])
  })

  it('rejects SEED_DEMO without DEMO_PASSWORD on an empty database', async () => {
    await expect(start({ SEED_DEMO: '1' })).rejects.toThrow(
      'SEED_DEMO=1 requires DEMO_PASSWORD, because only `npm start` prints a generated password. Set DEMO_PASSWORD, or remove SEED_DEMO.',
    )
    expect(await emails()).toEqual([])
  })

  it('creates the demo users with DEMO_PASSWORD, in addition to the first instance admin', async () => {
    const file = path.join(folder, 'password')
    fs.writeFileSync(file, 'seventeen harbor lanterns')
    const settings = {
      SEED_DEMO: '1',
      DEMO_PASSWORD: 'lanterns on a quiet quay',
      ADMIN_EMAIL: 'ops@example.com',
      ADMIN_PASSWORD_FILE: file,
    }
    await start(settings)
    await start(settings)
    expect(await emails()).toEqual([
      'ada@example.com',
      'edsger@example.com',
      'grace@example.com',
      'ops@example.com',
    ])
    const ada = await prisma().user.findUnique({ where: { email: 'ada@example.com' } })
    expect(await verifyPassword(ada?.passwordHash, settings.DEMO_PASSWORD)).toBe(true)
  })

  it('does not change a database that already has users', async () => {
    await makeUser({ email: 'someone@example.com' })
    await start({ SEED_DEMO: '1' })
    expect(await emails()).toEqual(['someone@example.com'])
  })
})
