import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { changePassword } from '@/lib/features/identity/users/password'
import { approve, makeFactorWorld, makePasskey, requestChange, signedIn } from '@/lib/testing/factor-world'
import { makeApiToken, testPassword } from '@/lib/testing/factories'
import { startTestServer } from '@/lib/testing/server'
import { decideFactorApproval, readFactorApproval } from './factor-approvals'
import { forgetApprovalRequests } from './read-approval'

/**
 * Tests the approvals that a token needs to change its user's two-factor authentication: who can decide, how,
 * and what an approval covers.
 */
let world: Awaited<ReturnType<typeof makeFactorWorld>>
let token: string
let passkeyId: string
beforeAll(async () => {
  await startTestServer()
})
beforeEach(async () => {
  world = await makeFactorWorld()
  world.session = await signedIn(world.user.id, true)
  token = world.token.token
  passkeyId = (await makePasskey(world.user.id)).id
})
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

const ask = async () => (await requestChange(token, 'codes')).approvalId
const deny = (approvalId: string) => decideFactorApproval(world.session, approvalId, { decision: 'deny' })

describe('a decision on an approval request', () => {
  it('is possible only for the token’s user, who sees the token and the requested change', async () => {
    const { approvalId } = await requestChange(token, 'rename', { id: passkeyId, name: 'Mine now' })
    expect(await readFactorApproval(world.session, approvalId)).toMatchObject({
      token: { name: world.token.row.name, display: expect.stringMatching(/^lk_pat_….{4}$/) },
      wants: 'Rename a passkey',
      passkey: { name: 'Laptop', createdAt: expect.any(Date), lastUsedAt: null },
      wanted: 'Mine now',
      ip: expect.stringContaining('127.0.0.1'),
      state: 'open',
    })
    const begin = await readFactorApproval(world.session, (await requestChange(token, 'begin')).approvalId)
    for (const given of ['key of the authenticator app', 'recovery codes', 'signed out']) {
      expect(begin?.means).toContain(given)
    }
    const stranger = (await makeFactorWorld()).session
    expect(await readFactorApproval(stranger, approvalId)).toBeUndefined()
    await expect(approve(stranger, approvalId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(decideFactorApproval(stranger, approvalId, { decision: 'deny' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('requires the password for each approval, but not for a denial', async () => {
    const first = await ask()
    for (const password of ['', 'guessed']) {
      const tried = decideFactorApproval(world.session, first, { decision: 'once', password })
      await expect(tried).rejects.toMatchObject({ details: { field: 'password' } })
    }
    await approve(world.session, first)
    expect((await requestChange(token, 'codes')).code).toBe('ok')
    // The password was just entered, but for another request.
    const again = decideFactorApproval(world.session, await ask(), { decision: 'once' })
    await expect(again).rejects.toMatchObject({ details: { field: 'password' } })
    await deny(await ask())
  })

  it('requires a sign-in within the last 15 minutes, with two-factor authentication if the user has set it up', async () => {
    const approvalId = await ask()
    await expect(approve(await signedIn(world.user.id), approvalId)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await prisma().session.update({
      where: { id: world.session.sessionId },
      data: { createdAt: new Date(Date.now() - 16 * 60_000) },
    })
    await expect(approve(world.session, approvalId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await prisma().user.update({ where: { id: world.user.id }, data: { passwordHash: null } })
    const withoutPassword = decideFactorApproval(await signedIn(world.user.id, true), approvalId, {
      decision: 'once',
    })
    await expect(withoutPassword).resolves.toBeUndefined()
  })

  it('is accepted only once, even if it is sent twice concurrently, and only before the request expires', async () => {
    const approvalId = await ask()
    const both = await Promise.allSettled([
      approve(world.session, approvalId),
      approve(world.session, approvalId),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const late = (await requestChange(token, 'begin')).approvalId
    await prisma().twoFactorApprovalRequest.update({ where: { id: late }, data: { validUntil: new Date() } })
    await expect(approve(world.session, late)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is recorded in the audit log with the token, like the request itself', async () => {
    await approve(world.session, await ask())
    const events = await prisma().auditEvent.findMany({
      where: { userId: world.user.id, resourceType: 'approval' },
      orderBy: { id: 'asc' },
    })
    expect(events).toMatchObject([
      {
        action: 'approval.requested',
        actorKind: 'account-token',
        actorId: world.token.row.id,
        workspaceId: null,
      },
      { action: 'approval.approved', actorKind: 'session', details: { tokenId: world.token.row.id } },
    ])
  })
})

describe('an approval', () => {
  it('is valid only for the token, change, passkey, and name in the request', async () => {
    const rename = { id: passkeyId, name: 'Mine now' }
    await approve(world.session, (await requestChange(token, 'rename', rename)).approvalId)
    const other = await makePasskey(world.user.id, 'Phone')
    const more = await makeApiToken(world.user)
    const others = [
      await requestChange(more.token, 'rename', rename),
      await requestChange(token, 'remove', { id: passkeyId }),
      await requestChange(token, 'rename', { id: other.id, name: 'Mine now' }),
    ]
    expect(others.map(({ code }) => code)).toEqual(Array(3).fill('APPROVAL_REQUIRED'))
    expect((await requestChange(token, 'rename', rename)).code).toBe('ok')
    const another = await requestChange(token, 'rename', { id: passkeyId, name: 'Something else' })
    expect(another.code).toBe('APPROVAL_REQUIRED')
  })

  it('is valid only for the IP address that sent the request, so a different IP address needs its own request', async () => {
    vi.stubEnv('TRUST_PROXY', '1')
    resetConfig()
    const from = (ip: string) => requestChange(token, 'codes', {}, ip)
    const [owner, thief] = [await from('192.0.2.1'), await from('198.51.100.9')]
    expect(thief.approvalId).not.toBe(owner.approvalId)
    expect(await readFactorApproval(world.session, thief.approvalId)).toMatchObject({ ip: '198.51.100.9' })
    expect(await prisma().notification.count({ where: { userId: world.user.id } })).toBe(2)
    await approve(world.session, owner.approvalId)
    expect(await from('198.51.100.9')).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      approvalId: thief.approvalId,
    })
    expect((await from('192.0.2.1')).code).toBe('ok')
  })

  it('cannot be given for a rename request after the token requests another name for the same passkey', async () => {
    const { approvalId } = await requestChange(token, 'rename', { id: passkeyId, name: 'One' })
    const other = await requestChange(token, 'rename', { id: passkeyId, name: 'Two' })
    expect(other.approvalId).not.toBe(approvalId)
    await expect(approve(world.session, approvalId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is valid for at most ten minutes, and ends with the session in which it was given', async () => {
    const approvalId = await ask()
    await approve(world.session, approvalId)
    const { validUntil } = await prisma().twoFactorApprovalRequest.findUniqueOrThrow({
      where: { id: approvalId },
    })
    expect(validUntil.getTime()).toBeLessThanOrEqual(Date.now() + 10 * 60_000)
    const elsewhere = await signedIn(world.user.id, true)
    const password = 'an entirely new password'
    await changePassword(elsewhere, { current: testPassword, password })
    expect(await readFactorApproval(elsewhere, approvalId)).toMatchObject({ state: 'over' })
    const after = await requestChange(token, 'codes')
    expect(after.code).toBe('APPROVAL_REQUIRED')
    expect(after.approvalId).not.toBe(approvalId)
  })

  it('is deleted together with the token that requested it', async () => {
    const approvalId = await ask()
    await approve(world.session, approvalId)
    await prisma().apiToken.delete({ where: { id: world.token.row.id } })
    expect(await readFactorApproval(world.session, approvalId)).toBeUndefined()
    expect((await requestChange(token, 'codes')).code).toBe('UNAUTHENTICATED')
  })

  it('has no effect if the passkey in the request was removed after the approval', async () => {
    const { approvalId } = await requestChange(token, 'remove', { id: passkeyId })
    await approve(world.session, approvalId)
    await prisma().passkey.delete({ where: { id: passkeyId } })
    expect((await requestChange(token, 'remove', { id: passkeyId })).code).toBe('NOT_FOUND')
    expect(await readFactorApproval(world.session, approvalId)).toMatchObject({
      passkey: null,
      state: 'approved-once',
    })
  })
})

it('an approval request for a change that only a later release supports can be denied but not approved', async () => {
  const approvalId = await ask()
  await prisma().twoFactorApprovalRequest.update({
    where: { id: approvalId },
    data: { change: 'passkey:share' },
  })
  await expect(approve(world.session, approvalId)).rejects.toMatchObject({ code: 'CONFLICT' })
  await deny(approvalId)
})

describe('a denial', () => {
  it('revokes an unused approval of the same request', async () => {
    const approvalId = await ask()
    await approve(world.session, approvalId)
    await deny(approvalId)
    expect(await readFactorApproval(world.session, approvalId)).toMatchObject({ state: 'denied' })
    expect(await requestChange(token, 'codes')).toMatchObject({ code: 'FORBIDDEN', reason: 'denied' })
  })

  it('is rejected if the approval was already used', async () => {
    const approvalId = await ask()
    await approve(world.session, approvalId)
    await requestChange(token, 'codes')
    await expect(deny(approvalId)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('revokes all other approvals of the user’s tokens and cancels their pending changes', async () => {
    await approve(world.session, (await requestChange(token, 'begin')).approvalId)
    const { secret } = (await requestChange(token, 'begin')).done
    await approve(world.session, (await requestChange(token, 'remove', { id: passkeyId })).approvalId)
    const other = await makeApiToken(world.user)
    await deny((await requestChange(other.token, 'codes')).approvalId)
    expect((await requestChange(token, 'remove', { id: passkeyId })).code).toBe('FORBIDDEN')
    const code = TOTP.generate({ secret: Secret.fromBase32(secret) })
    expect((await requestChange(token, 'finish', { code })).code).toBe('CONFLICT')
  })
})

describe('new approval requests', () => {
  it('are blocked for ten minutes after a denial, for every change and for all of the user’s tokens', async () => {
    const approvalId = await ask()
    await deny(approvalId)
    const other = await makeApiToken(world.user)
    for (const [by, change] of [
      [token, 'codes'],
      [token, 'begin'],
      [other.token, 'codes'],
    ] as const) {
      expect(await requestChange(by, change)).toMatchObject({ code: 'FORBIDDEN', reason: 'denied' })
    }
    // Revoking the token does not lift the block.
    await prisma().apiToken.delete({ where: { id: world.token.row.id } })
    token = (await makeApiToken(world.user)).token
    expect(await requestChange(token, 'codes')).toMatchObject({ code: 'FORBIDDEN', reason: 'denied' })
    const key = { endsWith: world.user.id }
    await prisma().rateLimit.updateMany({ where: { key }, data: { expire: Date.now() - 1000 } })
    expect((await requestChange(token, 'codes')).code).toBe('APPROVAL_REQUIRED')
  })

  it('are blocked after the user’s tokens have sent a total of ten requests in an hour', async () => {
    for (let n = 0; n < 10; n++) await requestChange(token, 'rename', { id: passkeyId, name: `Name ${n}` })
    const other = await makeApiToken(world.user)
    const refused = await requestChange(other.token, 'codes')
    expect(refused).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      approvalId: '',
      retryAfter: expect.any(Number),
    })
    expect(await prisma().twoFactorApprovalRequest.count({ where: { tokenId: other.row.id } })).toBe(0)
  })
})

it('an approval request is deleted one day after it expires', async () => {
  const approvalId = await ask()
  await prisma().twoFactorApprovalRequest.update({
    where: { id: approvalId },
    data: { validUntil: new Date(Date.now() - 25 * 3_600_000) },
  })
  await forgetApprovalRequests()
  expect(await prisma().twoFactorApprovalRequest.count({ where: { id: approvalId } })).toBe(0)
})
