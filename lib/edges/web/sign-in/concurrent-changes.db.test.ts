import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { mintEmailToken } from '@/lib/features/identity/email/email-tokens'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { beginTotp, confirmTotp, pendingTotp } from '@/lib/features/identity/two-factor/enroll-totp'
import { changePassword } from '@/lib/features/identity/users/password'
import { resetPassword } from '@/lib/features/identity/users/reset-password'
import { suspendUser } from '@/lib/features/instance-admin/manage-users'
import { setProvider } from '@/lib/features/sso/identity-provider'
import type { SessionActor } from '@/lib/policy/actor'
import { raceForLock } from '@/lib/testing/concurrency'
import { joinWorkspace, makeUser, makeWorkspace, testPassword } from '@/lib/testing/factories'
import { completeSignIn } from './complete-sign-in'

/** Changes that invalidate a successful authentication before the user gets a session. */
const password = 'a whole new password'
const issuer = 'https://idp.example'
let grace: { id: string; email: string }
let passwordHash: string | null
let own: SessionActor
let domain: string
let workspace: { id: string }
let admin: SessionActor
let instanceAdmin: SessionActor

const actorOf = async (userId: string, instanceAdmin = false): Promise<SessionActor> => ({
  kind: 'session',
  userId,
  sessionId: await startSession({}, userId, ['pwd']),
  instanceAdmin,
})

const set = (requiresSso: boolean) =>
  setProvider(admin, workspace.id, { issuer, clientId: 'c', domain, requiresSso })

const changes: Record<string, { change: () => Promise<unknown>; refusal: string }> = {
  'the password is changed': {
    change: () => changePassword(own, { current: testPassword, password }),
    refusal: 'UNAUTHENTICATED',
  },
  'the password is reset by email': {
    change: async () => {
      const { id: userId, email } = grace
      const token = await mintEmailToken(prisma(), { purpose: 'RESET_PASSWORD', userId, email })
      await resetPassword({}, { token, password })
    },
    refusal: 'UNAUTHENTICATED',
  },
  'the user is suspended': {
    change: () => suspendUser(instanceAdmin, grace.id),
    refusal: 'UNAUTHENTICATED',
  },
  'SSO becomes required': { change: () => set(true), refusal: 'FORBIDDEN' },
}

beforeEach(async () => {
  await prisma().rateLimit.deleteMany()
  domain = `${randomUUID()}.example.test`
  const ada = await makeUser()
  grace = await makeUser({ email: `grace@${domain}` })
  const found = await prisma().user.findUniqueOrThrow({ where: { id: grace.id } })
  passwordHash = found.passwordHash
  workspace = await makeWorkspace([[ada, 'ADMIN']])
  await joinWorkspace(workspace, grace, 'MEMBER')
  ;[admin, own] = [await actorOf(ada.id), await actorOf(grace.id)]
  instanceAdmin = await actorOf((await makeUser({ instanceAdmin: true })).id, true)
  await set(false)
  const where = { workspaceId: workspace.id }
  await prisma().workspaceIdentityProvider.update({ where, data: { verifiedAt: new Date() } })
})

const signIn = () =>
  completeSignIn(
    { request: new Request(config().BASE_URL), visitor: {}, next: '/' },
    'password',
    Promise.resolve({ userId: grace.id, passwordHash, methods: ['pwd'] }),
  )

/** Runs two functions: the first one locks the user's row, and the second one waits for it. */
const meetAtUser = (first: () => Promise<unknown>, second: () => Promise<unknown>) =>
  raceForLock('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', grace.id, first, second)

/**
 * Returns the number of sessions and pending second steps that a sign-in has created, excluding the user's
 * earlier session.
 */
async function begun(): Promise<number> {
  const userId = grace.id
  const where = { userId, revokedAt: null, id: { not: own.sessionId } }
  return (
    (await prisma().session.count({ where })) + (await prisma().pendingSignIn.count({ where: { userId } }))
  )
}

describe.each([
  ['a password', async () => {}],
  [
    'a password and a pending second step',
    () =>
      prisma().totpSecret.create({
        data: { userId: grace.id, sealed: new Uint8Array(), confirmedAt: new Date() },
      }),
  ],
])('a sign-in with %s', (_what, prepare) => {
  it.each(Object.entries(changes))('fails if %s at the same time', async (_name, { change, refusal }) => {
    await prepare()
    expect(await meetAtUser(change, signIn)).toEqual(['ok', refusal])
    expect(await begun()).toBe(0)
  })

  it.each(Object.entries(changes))(
    'loses its session or pending second step if %s immediately afterward',
    async (_name, { change }) => {
      await prepare()
      expect(await meetAtUser(signIn, change)).toEqual(['ok', 'ok'])
      expect(await begun()).toBe(0)
    },
  )
})

describe('a password-only sign-in while an authenticator app is being set up', () => {
  let confirm: () => Promise<unknown>
  beforeEach(async () => {
    await beginTotp(own, { password: testPassword })
    const { secret = '' } = (await pendingTotp(own)) ?? {}
    confirm = () => confirmTotp(own, { code: TOTP.generate({ secret: Secret.fromBase32(secret) }) })
  })

  it('fails if the setup finishes first', async () => {
    expect(await meetAtUser(confirm, signIn)).toEqual(['ok', 'UNAUTHENTICATED'])
    expect(await begun()).toBe(0)
  })

  it('loses its session if the setup finishes afterward', async () => {
    expect(await meetAtUser(signIn, confirm)).toEqual(['ok', 'ok'])
    expect(await begun()).toBe(0)
  })
})
