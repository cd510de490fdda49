import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { outcomeOf } from '@/lib/testing/concurrency'
import { SoftwareAuthenticator } from '@/lib/testing/software-authenticator'
import { mintEmailToken } from '../email/email-tokens'
import { removePasskey } from '../passkeys/manage-passkeys'
import { passkeyCreationOptions, registerPasskey } from '../passkeys/register-passkey'
import {
  passkeyRequestOptions,
  secondStepOptions,
  signInWithPasskey,
  verifyPasskeyStep,
} from '../passkeys/sign-in-with-passkey'
import { startSession } from '../sessions/start-session'
import { resetPassword } from '../users/reset-password'
import { signUp } from '../users/sign-up'
import { beginTotp, confirmTotp, pendingTotp, removeTotp } from './enroll-totp'
import { beginSecondStep } from './pending-sign-in'
import { twoFactorMethods } from './two-factor-methods'
import { verifyCode } from './verify-code'

/**
 * Tests attacks on the second step of a sign-in by someone who has the password, another account, or both.
 */
const origin = 'https://login.example.com'
const password = 'correct horse battery'
const visitor = { ip: '192.0.2.1' }
let ada: SessionActor
let mallory: SessionActor

async function newUser(): Promise<SessionActor> {
  const user = { name: 'User', email: `${randomUUID()}@example.com`, password }
  const { userId } = await signUp({ ip: `192.0.2.${Math.floor(Math.random() * 250)}` }, user)
  await prisma().user.update({ where: { id: userId }, data: { emailVerifiedAt: new Date() } })
  const sessionId = await startSession(visitor, userId, ['pwd'])
  return { kind: 'session', userId, sessionId, instanceAdmin: false, ...visitor }
}

// Stop the clock, so that no time step ends during a test.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.stubEnv('BASE_URL', origin)
  resetConfig()
  await prisma().rateLimit.deleteMany()
  ;[ada, mallory] = [await newUser(), await newUser()]
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  setChangedSettings({})
  resetConfig()
})

const codeOf = (secret: string, later = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + later * 30_000 })

async function enroll(actor: SessionActor) {
  await beginTotp(actor, { password })
  const secret = (await pendingTotp(actor))?.secret ?? ''
  const first = codeOf(secret, -1)
  const { recoveryCodes } = await confirmTotp(actor, { code: first })
  return { secret, recoveryCodes, first }
}

const pendingOf = ({ userId }: SessionActor) => beginSecondStep(userId, ['pwd'])
const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_each, n) => work(n)))
const passed = (outcomes: string[]) => outcomes.filter((each) => each === 'ok').length

describe('an authenticator code', () => {
  it('is accepted for only one of several parallel sign-ins, and never again within its time window', async () => {
    const { secret, first } = await enroll(ada)
    const code = codeOf(secret)
    const tokens = await times(6, () => pendingOf(ada))
    const outcomes = await Promise.all(tokens.map((token) => outcomeOf(verifyCode(visitor, token, { code }))))
    expect(passed(outcomes)).toBe(1)
    await prisma().rateLimit.deleteMany()
    for (const again of [code, ` ${code} `, first, codeOf(secret, -1)]) {
      const tried = verifyCode(visitor, await pendingOf(ada), { code: again })
      expect(await outcomeOf(tried)).toBe('BAD_USER_INPUT')
    }
    expect(await outcomeOf(verifyCode(visitor, await pendingOf(ada), { code: codeOf(secret, 1) }))).toBe('ok')
    await prisma().rateLimit.deleteMany()
    // The previous time step is within the window, but its code was already used.
    expect(await outcomeOf(verifyCode(visitor, await pendingOf(ada), { code }))).toBe('BAD_USER_INPUT')
  })

  it('cannot complete another user’s sign-in, and neither can a recovery code', async () => {
    const { recoveryCodes } = await enroll(ada)
    const own = await enroll(mallory)
    const [token, ownToken] = [await pendingOf(ada), await pendingOf(mallory)]
    for (const code of [codeOf(own.secret), String(own.recoveryCodes[0])]) {
      expect(await outcomeOf(verifyCode(visitor, token, { code }))).toBe('BAD_USER_INPUT')
    }
    expect(await outcomeOf(verifyCode(visitor, ownToken, { code: recoveryCodes[0] }))).toBe('BAD_USER_INPUT')
    const { userId } = await verifyCode(visitor, ownToken, { code: codeOf(own.secret) })
    expect(userId).toBe(mallory.userId)
  })

  it.each(['000000\u0000', '٠١٢٣٤٥', '0000000', '1e5', '0x1234', '-00001', '', "' OR 1=1"])(
    '(%j) is rejected because it is malformed',
    async (code) => {
      await enroll(ada)
      const outcome = await outcomeOf(verifyCode(visitor, await pendingOf(ada), { code }))
      expect(outcome).toBe('BAD_USER_INPUT')
    },
  )
})

describe('a recovery code', () => {
  it('is accepted for only one of several parallel sign-ins', async () => {
    const { recoveryCodes } = await enroll(ada)
    const tokens = await times(6, () => pendingOf(ada))
    const outcomes = await Promise.all(
      tokens.map((token) => outcomeOf(verifyCode(visitor, token, { code: recoveryCodes[0] }))),
    )
    expect(passed(outcomes)).toBe(1)
    expect((await twoFactorMethods(ada.userId)).recoveryCodes).toBe(9)
  })

  it('is not used up if another code has already completed the sign-in', async () => {
    const { recoveryCodes } = await enroll(ada)
    const token = await pendingOf(ada)
    const outcomes = await times(6, (n) => outcomeOf(verifyCode(visitor, token, { code: recoveryCodes[n] })))
    expect(passed(outcomes)).toBe(1)
    expect((await twoFactorMethods(ada.userId)).recoveryCodes).toBe(9)
  })

  it('shares its attempt limit with authenticator codes, even for parallel attempts', async () => {
    const { secret } = await enroll(ada)
    const tokens = await times(20, () => pendingOf(ada))
    const outcomes = await times(20, (n) =>
      outcomeOf(verifyCode({ ip: `198.51.100.${n}` }, tokens[n], { code: n % 2 ? 'aaaa-bbbb' : 'bbbbbb' })),
    )
    expect(outcomes.filter((each) => each === 'BAD_USER_INPUT')).toHaveLength(6)
    expect(await outcomeOf(verifyCode(visitor, await pendingOf(ada), { code: codeOf(secret) }))).toBe(
      'RATE_LIMITED',
    )
  })
})

describe('a passkey', () => {
  let device: SoftwareAuthenticator
  const register = async (actor: SessionActor, with_: SoftwareAuthenticator) =>
    registerPasskey(actor, {
      name: 'Laptop',
      response: with_.register(await passkeyCreationOptions(actor, { password })),
    })
  beforeEach(async () => {
    device = new SoftwareAuthenticator(origin)
    await register(ada, device)
  })

  /** Modifies a signed response without access to the private key. */
  const forged = (
    answer: string,
    change: (response: Record<string, string>, all: Record<string, unknown>) => void,
  ) => {
    const all = JSON.parse(answer)
    change(all.response, all)
    return JSON.stringify(all)
  }
  const withFlag = (data: string | undefined, flag: number) => {
    const bytes = Buffer.from(String(data), 'base64url')
    bytes[32] = (bytes[32] ?? 0) | flag
    return bytes.toString('base64url')
  }
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it.each<[string, (challenge: { challenge: string; rpId?: string }) => string]>([
    ['without user verification', (options) => device.sign(options, { userVerified: false })],
    [
      'with a forged user verification flag',
      (options) =>
        forged(device.sign(options, { userVerified: false }), (response) => {
          response.authenticatorData = withFlag(response.authenticatorData, 0x04)
        }),
    ],
    ['for another RP ID', (options) => device.sign({ ...options, rpId: 'evil.example' })],
    ['for a parent domain', (options) => device.sign({ ...options, rpId: 'example.com' })],
    ['from another origin', (options) => device.sign(options, { origin: 'https://evil.example' })],
    ['from an http origin', (options) => device.sign(options, { origin: origin.replace('https', 'http') })],
    ['from another port', (options) => device.sign(options, { origin: `${origin}:8443` })],
    ['to a challenge that was not issued', (options) => device.sign({ ...options, challenge: 'AAAA' })],
    [
      'whose challenge was replaced after signing',
      (options) =>
        forged(device.sign({ ...options, challenge: 'AAAA' }), (response) => {
          response.clientDataJSON = encoded({ type: 'webauthn.get', challenge: options.challenge, origin })
        }),
    ],
    [
      'from another credential with the same ID',
      (options) =>
        forged(new SoftwareAuthenticator(origin).sign(options), (_response, all) => {
          const id = Buffer.from(device.id).toString('base64url')
          Object.assign(all, { id, rawId: id })
        }),
    ],
    [
      'that names another user',
      (options) =>
        forged(device.sign(options), (response) => {
          response.userHandle = Buffer.from(mallory.userId).toString('base64url')
        }),
    ],
    [
      'with an empty signature',
      (options) =>
        forged(device.sign(options), (response) => {
          response.signature = ''
        }),
    ],
  ])('does not sign anyone in with a response %s', async (_what, answer) => {
    const options = await passkeyRequestOptions(visitor)
    expect(await outcomeOf(signInWithPasskey(visitor, { response: answer(options) }))).toMatch(
      /UNAUTHENTICATED|BAD_USER_INPUT/,
    )
  })

  it('signs the user in only once with the same response, even if it is sent several times in parallel', async () => {
    const answer = device.sign(await passkeyRequestOptions(visitor))
    const outcomes = await times(5, () => outcomeOf(signInWithPasskey(visitor, { response: answer })))
    expect(passed(outcomes)).toBe(1)
  })

  it('is not accepted for another user, or with a response for another purpose', async () => {
    const own = new SoftwareAuthenticator(origin)
    await register(mallory, own)
    const [token, ownToken] = [await pendingOf(ada), await pendingOf(mallory)]
    const [options, ownOptions] = [await secondStepOptions(token), await secondStepOptions(ownToken)]
    const anyone = await passkeyRequestOptions(visitor)
    for (const response of [
      own.sign(options),
      own.sign(ownOptions),
      device.sign(ownOptions),
      device.sign(anyone),
    ]) {
      expect(await outcomeOf(verifyPasskeyStep(token, { response }))).toBe('UNAUTHENTICATED')
    }
    await prisma().rateLimit.deleteMany()
    const again = await secondStepOptions(token)
    expect(await outcomeOf(signInWithPasskey(visitor, { response: device.sign(again) }))).toBe(
      'UNAUTHENTICATED',
    )
  })

  it('cannot be registered for another user, in another session, for another challenge, without user verification, or a second time', async () => {
    const own = new SoftwareAuthenticator(origin)
    const options = await passkeyCreationOptions(mallory, { password })
    const register = (actor: SessionActor, response: string) =>
      outcomeOf(registerPasskey(actor, { name: 'Key', response }))
    expect(await register(ada, own.register(options))).toBe('BAD_USER_INPUT')
    const later = { ...mallory, sessionId: await startSession(visitor, mallory.userId, ['pwd']) }
    const begun = await passkeyCreationOptions(mallory, { password })
    expect(await register(later, own.register(begun))).toBe('BAD_USER_INPUT')
    const { challenge } = await passkeyRequestOptions(visitor)
    expect(await register(mallory, own.register({ ...options, challenge }))).toBe('BAD_USER_INPUT')
    const weak = await passkeyCreationOptions(mallory, { password })
    expect(await register(mallory, own.register(weak, { userVerified: false }))).toBe('BAD_USER_INPUT')
    const known = await passkeyCreationOptions(mallory, { password })
    expect(await register(mallory, device.register(known))).toBe('CONFLICT')
    expect((await twoFactorMethods(mallory.userId)).enrolled).toBe(false)
  })

  it('is rejected if the user already has twenty passkeys, even if its challenge was requested earlier', async () => {
    const options = []
    for (let n = 0; n < 22; n++) options.push(await passkeyCreationOptions(mallory, { password }))
    const outcomes: string[] = []
    for (const each of options) {
      const response = new SoftwareAuthenticator(origin).register(each)
      outcomes.push(await outcomeOf(registerPasskey(mallory, { name: 'Key', response })))
    }
    expect(passed(outcomes)).toBe(20)
    expect((await twoFactorMethods(mallory.userId)).passkeys).toBe(20)
  })

  it('cannot be removed at the same moment as the authenticator app if two-factor authentication is required', async () => {
    await enroll(ada)
    setChangedSettings({ requireTwoFactor: 'all' })
    const id = Buffer.from(device.id).toString('base64url')
    const outcomes = await Promise.all([
      outcomeOf(removePasskey(ada, id, { password })),
      outcomeOf(removeTotp(ada, { password })),
    ])
    expect(outcomes.sort()).toEqual(['CONFLICT', 'ok'])
    expect((await twoFactorMethods(ada.userId)).enrolled).toBe(true)
  })
})

describe('a password reset', () => {
  it('keeps the two-factor methods of a confirmed account, and ends pending sign-ins', async () => {
    const { secret } = await enroll(ada)
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: ada.userId } })
    const token = await pendingOf(ada)
    const link = await mintEmailToken(prisma(), { purpose: 'RESET_PASSWORD', userId: ada.userId, email })
    await resetPassword(visitor, { token: link, password: 'a whole new password' })
    expect(await twoFactorMethods(ada.userId)).toMatchObject({ totp: true, recoveryCodes: 10 })
    expect(await outcomeOf(verifyCode(visitor, token, { code: codeOf(secret) }))).toBe('UNAUTHENTICATED')
    expect(await pendingOf(ada)).toEqual(expect.any(String))
  })
})
