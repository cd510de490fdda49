import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { makeUser, testPassword } from '@/lib/testing/factories'
import { removePasskey } from '../passkeys/manage-passkeys'
import { sessionFromCookies, signInFromCookies } from '../sessions/find-live-session'
import { sessionCookie } from '../sessions/session-cookie'
import { type SignInMethod, startSession } from '../sessions/start-session'
import { beginTotp, confirmTotp, pendingTotp, removeTotp } from './enroll-totp'

const demandOf = (of: string) => setChangedSettings({ requireTwoFactor: of })
const password = testPassword

beforeEach(() => prisma().rateLimit.deleteMany())
afterEach(() => setChangedSettings({}))

async function signedIn(userId: string, methods: SignInMethod[] = ['pwd']) {
  const sid = await startSession({}, userId, methods)
  const cookie = (await sessionCookie({ sub: userId, sid })).split(';')[0] as string
  const signIn = async () => {
    const found = await signInFromCookies(cookie, {})
    if (!found) throw new Error('no user is signed in')
    return found.actor
  }
  return { signIn, opens: async () => (await sessionFromCookies(cookie, {})) !== undefined }
}

async function setUp(actor: Awaited<ReturnType<Awaited<ReturnType<typeof signedIn>>['signIn']>>) {
  await beginTotp(actor, { password })
  const secret = (await pendingTotp(actor))?.secret ?? ''
  return confirmTotp(actor, { code: TOTP.generate({ secret: Secret.fromBase32(secret) }) })
}

const addPasskey = (userId: string) =>
  prisma().passkey.create({
    data: { id: randomUUID(), userId, name: 'Laptop', publicKey: Uint8Array.from([1]), counter: 0 },
  })

describe('the instance’s two-factor requirement', () => {
  it.each<[string, SignInMethod[], boolean]>([
    ['none', ['pwd'], true],
    ['instance-admins', ['pwd'], true],
    ['instance-admins', ['ext'], true],
    ['all', ['pwd'], false],
    ['all', ['ext'], false],
    ['all', ['pwd', 'otp', 'mfa'], true],
    ['all', ['hwk', 'mfa'], true],
  ])(
    'with the value %s, allows users and instance admins with the sign-in methods %j: %s',
    async (of, methods, opens) => {
      for (const instanceAdmin of [false, true]) {
        const session = await signedIn((await makeUser({ instanceAdmin })).id, methods)
        demandOf(of)
        expect(await session.opens()).toBe(opens)
        demandOf('none')
      }
    },
  )

  it('applies to existing sessions, which work again after it is removed', async () => {
    const session = await signedIn((await makeUser()).id)
    expect(await session.opens()).toBe(true)
    demandOf('all')
    expect(await session.opens()).toBe(false)
    demandOf('none')
    expect(await session.opens()).toBe(true)
  })

  it('can be met by setting up a method with the password, which unlocks only the current session', async () => {
    const { id } = await makeUser()
    const [own, other] = [await signedIn(id), await signedIn(id)]
    demandOf('all')
    await expect(beginTotp(await own.signIn(), { password: 'guessed' })).rejects.toMatchObject({
      details: { field: 'password' },
    })
    expect((await setUp(await own.signIn())).recoveryCodes).toHaveLength(10)
    expect([await own.opens(), await other.opens()]).toEqual([true, false])
  })

  it('cannot be bypassed by adding a method and then removing it', async () => {
    const { id } = await makeUser()
    const session = await signedIn(id)
    demandOf('all')
    await setUp(await session.signIn())
    const actor = await session.signIn()
    await expect(removeTotp(actor, { password })).rejects.toMatchObject({ code: 'CONFLICT' })
    const passkey = await addPasskey(id)
    await removeTotp(actor, { password })
    await expect(removePasskey(actor, passkey.id, { password })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await prisma().passkey.count({ where: { userId: id } })).toBe(1)
    expect(await prisma().recoveryCode.count({ where: { userId: id } })).toBe(10)
  })
})

it.each([
  ['none', 'an instance admin', 'can'],
  ['instance-admins', 'another user', 'can'],
  ['instance-admins', 'an instance admin', 'cannot'],
  ['all', 'another user', 'cannot'],
])('with the two-factor setting %s, %s %s remove the last two-factor method', async (of, who, may) => {
  const { id } = await makeUser({ instanceAdmin: who === 'an instance admin' })
  const session = await signedIn(id, ['hwk', 'mfa'])
  const passkey = await addPasskey(id)
  demandOf(of)
  const removed = removePasskey(await session.signIn(), passkey.id, { password }).then(
    () => true,
    () => false,
  )
  expect(await removed).toBe(may === 'can')
})
