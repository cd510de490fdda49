import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { explorerToken } from '@/lib/features/api-tokens/explorer-token'
import { revokeApiToken } from '@/lib/features/api-tokens/revoke-api-token'
import { beginTotp, confirmTotp, pendingTotp } from '@/lib/features/identity/two-factor/enroll-totp'
import { twoFactorMethods } from '@/lib/features/identity/two-factor/two-factor-methods'
import { callTool } from '@/lib/testing/call-tool'
import {
  approve,
  changes,
  makeFactorWorld,
  makePasskey,
  requestChange,
  signedIn,
} from '@/lib/testing/factor-world'
import { makeApiToken, testPassword } from '@/lib/testing/factories'
import { startTestServer } from '@/lib/testing/server'

/** Changes to sign-in methods with a token. Each change is approved in a browser and executed once. */
let world: Awaited<ReturnType<typeof makeFactorWorld>>
let passkeyId: string
let token: string
beforeAll(async () => {
  await startTestServer()
})
beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  world = await makeFactorWorld()
  world.session = await signedIn(world.user.id, true)
  token = world.token.token
  passkeyId = (await makePasskey(world.user.id)).id
})
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
  setChangedSettings({})
})

const codeOf = (secret: string) => TOTP.generate({ secret: Secret.fromBase32(secret) })
const subjects = async () => {
  await settleBackgroundWork()
  return (await readMailbox(world.user.email)).map(({ subject }) => subject)
}
const eventsOf = async (action: string) =>
  prisma().auditEvent.findMany({ where: { userId: world.user.id, action }, orderBy: { id: 'asc' } })
const confirmApp = () =>
  prisma().totpSecret.create({
    data: { userId: world.user.id, sealed: new Uint8Array(40), confirmedAt: new Date() },
  })

type Tried = [keyof typeof changes, () => object, string, number]
const tried: Tried[] = [
  ['rename', () => ({ id: passkeyId, name: 'Work laptop' }), 'two_factor.passkey_renamed', 0],
  ['remove', () => ({ id: passkeyId }), 'two_factor.passkey_removed', 1],
  ['removeApp', () => ({}), 'two_factor.totp_removed', 1],
  ['codes', () => ({}), 'two_factor.recovery_codes_renewed', 1],
]

describe.each(tried)('the two-factor change “%s”', (change, input, action, mails) => {
  beforeEach(confirmApp)
  const state = async () => ({
    ...(await twoFactorMethods(world.user.id)),
    names: await prisma().passkey.findMany({ where: { userId: world.user.id }, select: { name: true } }),
    hashes: await prisma().recoveryCode.findMany({ where: { userId: world.user.id } }),
  })

  it('has no effect before the user approves it, and opens only one approval request if it is repeated', async () => {
    const before = await state()
    const [first, second] = [
      await requestChange(token, change, input()),
      await requestChange(token, change, input()),
    ]
    expect(first).toMatchObject({ code: 'APPROVAL_REQUIRED', done: null })
    expect(first.challenge).toContain('error="insufficient_user_authentication"')
    expect(first.approvalId).toMatch(/^[0-9a-f-]{36}$/)
    expect(second.approvalId).toBe(first.approvalId)
    expect(await state()).toEqual(before)
    expect(await eventsOf(action)).toEqual([])
    expect(await subjects()).toEqual([])
    const notifications = await prisma().notification.findMany({ where: { userId: world.user.id } })
    expect(notifications.map(({ resource }) => resource)).toEqual([
      { type: 'approval', id: first.approvalId },
    ])
    expect(notifications[0]?.body).toContain(world.token.row.name)
  })

  it('is executed after the user’s approval and is recorded with the token', async () => {
    const before = await state()
    const { approvalId } = await requestChange(token, change, input())
    await approve(world.session, approvalId)
    expect(await requestChange(token, change, input())).toMatchObject({ code: 'ok' })
    expect(await state()).not.toEqual(before)
    expect(await eventsOf(action)).toMatchObject([
      { actorKind: 'account-token', actorId: world.token.row.id },
    ])
    expect(await subjects()).toHaveLength(mails)
    if (change !== 'codes') return
    const again = await requestChange(token, change, input())
    expect(again.code).toBe('APPROVAL_REQUIRED')
    expect(again.approvalId).not.toBe(approvalId)
  })

  it('is executed by only one of two parallel requests', async () => {
    await approve(world.session, (await requestChange(token, change, input())).approvalId)
    await Promise.all([requestChange(token, change, input()), requestChange(token, change, input())])
    expect(await eventsOf(action)).toHaveLength(1)
  })

  it('is forbidden through an MCP tool, which opens no approval request', async () => {
    const query = changes[change]
    const { text } = await callTool(token, 'run_mutation', { query, variables: input() })
    expect(text).toContain('FORBIDDEN')
    expect(await prisma().twoFactorApprovalRequest.count({ where: { userId: world.user.id } })).toBe(0)
  })
})

describe('the setup of an authenticator app with a token', () => {
  const begin = async (by = token) => {
    await approve(world.session, (await requestChange(by, 'begin')).approvalId)
    return (await requestChange(by, 'begin')).done as { secret: string; uri: string }
  }

  it('returns the key after approval, takes effect with the first code, and ends the other one-factor sessions', async () => {
    await prisma().passkey.deleteMany({ where: { userId: world.user.id } })
    const [approving, other] = [await signedIn(world.user.id), await signedIn(world.user.id)]
    world.session = approving
    expect((await requestChange(token, 'begin')).done).toBeNull()
    expect(await prisma().totpSecret.count({ where: { userId: world.user.id } })).toBe(0)
    const { secret, uri } = await begin()
    expect(uri).toContain(`secret=${secret}`)
    expect((await twoFactorMethods(world.user.id)).enrolled).toBe(false)
    expect((await requestChange(token, 'finish', { code: '000000x' })).field).toBe('code')
    const { done } = await requestChange(token, 'finish', { code: codeOf(secret) })
    expect(done).toMatchObject({ twoFactorMethods: { enrolled: true } })
    expect(done.recoveryCodes).toHaveLength(10)
    const rows = await prisma().session.findMany({ where: { userId: world.user.id } })
    const of = (id: string) => rows.find((row) => row.id === id)
    expect(of(other.sessionId)?.revokedAt).not.toBeNull()
    // The approving session is not upgraded, because the code came from the token's holder, not from that
    // browser.
    expect(of(approving.sessionId)).toMatchObject({ revokedAt: null, methods: ['pwd'] })
    expect(await eventsOf('two_factor.totp_added')).toMatchObject([{ actorId: world.token.row.id }])
    expect((await requestChange(token, 'finish', { code: codeOf(secret) })).code).toBe('CONFLICT')
  })

  it('is recorded and announced in an email when the key is returned', async () => {
    await begin()
    expect(await eventsOf('two_factor.totp_started')).toMatchObject([{ actorId: world.token.row.id }])
    expect(await subjects()).toEqual([expect.stringContaining('the key of a new authenticator app')])
  })

  it('can be completed only by the same token, before the approval expires, and while the approving session is active', async () => {
    const { secret } = await begin()
    const code = codeOf(secret)
    const other = await makeApiToken(world.user)
    expect((await requestChange(other.token, 'finish', { code })).code).toBe('CONFLICT')
    const where = { id: world.session.sessionId }
    await prisma().session.update({ where, data: { revokedAt: new Date() } })
    expect((await requestChange(token, 'finish', { code })).code).toBe('CONFLICT')
    await prisma().session.update({ where, data: { revokedAt: null } })
    await prisma().twoFactorApprovalRequest.updateMany({ data: { validUntil: new Date(Date.now() - 1000) } })
    expect((await requestChange(token, 'finish', { code })).code).toBe('CONFLICT')
    expect((await twoFactorMethods(world.user.id)).totp).toBe(false)
  })

  it('is canceled when the user starts another setup in the console', async () => {
    await begin()
    const { secret } = await beginTotp(world.session, { password: testPassword })
    expect((await requestChange(token, 'finish', { code: codeOf(secret) })).code).toBe('CONFLICT')
    expect((await twoFactorMethods(world.user.id)).totp).toBe(false)
  })

  it('returns the key only to the token, not in the console, and is canceled when the token is revoked', async () => {
    const { secret } = await begin()
    const theirs = () => confirmTotp(world.session, { code: codeOf(secret) })
    expect(await pendingTotp(world.session)).toBeUndefined()
    await expect(theirs()).rejects.toMatchObject({ code: 'CONFLICT' })
    await revokeApiToken(world.session, world.token.row.id)
    expect(await prisma().totpSecret.count({ where: { userId: world.user.id } })).toBe(0)
    const own = await beginTotp(world.session, { password: testPassword })
    expect((await pendingTotp(world.session))?.secret).toBe(own.secret)
  })

  it('stays in effect after completion, even if the token that started it is revoked', async () => {
    const { secret } = await begin()
    await requestChange(token, 'finish', { code: codeOf(secret) })
    await revokeApiToken(world.session, world.token.row.id)
    expect((await twoFactorMethods(world.user.id)).totp).toBe(true)
  })

  it('fails even with a correct code after six wrong codes', async () => {
    const { secret } = await begin()
    for (let n = 0; n < 6; n++) {
      expect((await requestChange(token, 'finish', { code: '000000x' })).field).toBe('code')
    }
    expect((await requestChange(token, 'finish', { code: codeOf(secret) })).code).toBe('RATE_LIMITED')
  })

  it('cannot be completed by a token if the user started it in the console', async () => {
    const { secret } = await beginTotp(world.session, { password: testPassword })
    expect((await requestChange(token, 'finish', { code: codeOf(secret) })).code).toBe('CONFLICT')
  })
})

describe('an approval request', () => {
  const asks = () => prisma().twoFactorApprovalRequest.count({ where: { userId: world.user.id } })

  it('is not opened for an unknown passkey, another user’s passkey, or a change without effect', async () => {
    const theirs = await makePasskey((await makeFactorWorld()).user.id)
    for (const id of ['unknown-key', theirs.id]) {
      expect((await requestChange(token, 'remove', { id })).code).toBe('NOT_FOUND')
      expect((await requestChange(token, 'rename', { id, name: 'Mine' })).code).toBe('NOT_FOUND')
    }
    await beginTotp(world.session, { password: testPassword })
    expect((await requestChange(token, 'removeApp')).done).toBe(true)
    expect(await pendingTotp(world.session)).toBeDefined()
    expect((await requestChange(token, 'rename', { id: passkeyId, name: 'Laptop' })).done).toEqual({
      name: 'Laptop',
    })
    expect(await asks()).toBe(0)
  })

  it('is not opened for a change that would remove the last sign-in method or the last required two-factor method', async () => {
    await prisma().user.update({ where: { id: world.user.id }, data: { instanceAdmin: true } })
    setChangedSettings({ requireTwoFactor: 'instance-admins' })
    expect((await requestChange(token, 'remove', { id: passkeyId })).code).toBe('CONFLICT')
    setChangedSettings({})
    await prisma().user.update({ where: { id: world.user.id }, data: { passwordHash: null } })
    expect((await requestChange(token, 'remove', { id: passkeyId })).code).toBe('CONFLICT')
    expect(await asks()).toBe(0)
  })

  it('is not opened for an invalid passkey name', async () => {
    expect(await requestChange(token, 'rename', { id: passkeyId, name: ' ' })).toMatchObject({
      field: 'name',
    })
    expect(await asks()).toBe(0)
  })
})

it('a response contains created secrets even if the approval request for another field cannot be opened', async () => {
  await approve(world.session, (await requestChange(token, 'codes')).approvalId)
  await prisma()
    .$executeRaw`ALTER TABLE factor_asks ADD CONSTRAINT broken CHECK (change <> 'passkey:delete') NOT VALID`
  try {
    const answer = await requestChange(token, 'codesAndRemove', { id: passkeyId })
    expect(answer).toMatchObject({ code: 'APPROVAL_REQUIRED', approvalId: '' })
    expect(answer.done.recoveryCodes).toHaveLength(10)
  } finally {
    await prisma().$executeRaw`ALTER TABLE factor_asks DROP CONSTRAINT broken`
  }
})

it('a two-factor change with the explorer token requires approval, as with any other token', async () => {
  const { code } = await requestChange(await explorerToken(world.session), 'codes')
  expect(code).toBe('APPROVAL_REQUIRED')
})
