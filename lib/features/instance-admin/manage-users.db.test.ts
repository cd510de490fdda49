import { afterEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { findLiveSession } from '@/lib/features/identity/sessions/find-live-session'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { makeUser } from '@/lib/testing/factories'
import { makeInstanceAdmin, revokeInstanceAdmin } from './manage-users'
import { lacksInstanceAdmin } from './read-instance'

afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

const isInstanceAdmin = async (id: string) =>
  (await prisma().user.findUniqueOrThrow({ where: { id } })).instanceAdmin

it('makeInstanceAdmin can create the first instance admin, and revokeInstanceAdmin cannot remove the last one', async () => {
  const ada = await makeUser({ name: 'Ada', email: 'ada@example.com' })
  expect(await lacksInstanceAdmin()).toBe(true)
  expect(await makeInstanceAdmin(' Ada@Example.com ')).toEqual({
    name: 'Ada',
    changed: true,
    confirmed: true,
  })
  expect(await makeInstanceAdmin('ada@example.com')).toEqual({ name: 'Ada', changed: false, confirmed: true })
  expect(await isInstanceAdmin(ada.id)).toBe(true)
  await expect(revokeInstanceAdmin('ada@example.com')).rejects.toMatchObject({ code: 'CONFLICT' })

  const grace = await makeUser({ email: 'grace@example.com' })
  await makeInstanceAdmin(grace.email)
  expect(await revokeInstanceAdmin(ada.email)).toEqual({ name: 'Ada', changed: true, confirmed: true })
  expect(await isInstanceAdmin(ada.id)).toBe(false)
  const events = await prisma().auditEvent.findMany({ orderBy: { id: 'asc' } })
  expect(events.map(({ action, actorKind, resourceId }) => [action, actorKind, resourceId])).toEqual([
    ['user.instance_admin_added', 'system', ada.id],
    ['user.instance_admin_added', 'system', grace.id],
    ['user.instance_admin_removed', 'system', ada.id],
  ])
  await settleBackgroundWork()
})

it('makeInstanceAdmin ends only the user’s sessions that began at an identity provider', async () => {
  const { id, email } = await makeUser()
  const byProvider = await startSession({}, id, ['ext', 'otp', 'mfa'])
  const byPassword = await startSession({}, id, ['pwd'])
  const live = async () =>
    (await Promise.all([byProvider, byPassword].map(findLiveSession))).map((found) => found !== undefined)
  await makeInstanceAdmin((await makeUser()).email)
  expect(await live()).toEqual([true, true])
  await makeInstanceAdmin(email)
  expect(await live()).toEqual([false, true])
  const since = await startSession({}, id, ['ext'])
  await makeInstanceAdmin(email)
  await revokeInstanceAdmin(email)
  expect(await findLiveSession(since)).toBeDefined()
  await settleBackgroundWork()
})

it('makeInstanceAdmin rejects unknown and suspended users', async () => {
  await expect(makeInstanceAdmin('eve@example.com')).rejects.toThrow(
    'No user has the email address eve@example.com. Ask the user to sign up at /signup first.',
  )
  await makeUser({ email: 'mallory@example.com', suspendedAt: new Date() })
  await expect(makeInstanceAdmin('mallory@example.com')).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('makeInstanceAdmin rejects an unconfirmed email address if the instance sends emails', async () => {
  const { id, email } = await makeUser({ email: 'owner@example.com' })
  await prisma().user.update({ where: { id }, data: { emailVerifiedAt: null } })
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:2525')
  resetConfig()
  await expect(makeInstanceAdmin(email)).rejects.toThrow(/^owner@example.com is not confirmed/)
  expect(await isInstanceAdmin(id)).toBe(false)
  vi.unstubAllEnvs()
  resetConfig()
  expect(await makeInstanceAdmin(email)).toMatchObject({ changed: true, confirmed: false })
  await settleBackgroundWork()
})
