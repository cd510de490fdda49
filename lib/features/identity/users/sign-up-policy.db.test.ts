import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import type { Visitor } from '@/lib/base/http/visitor'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { signIn } from './sign-in'
import { signInExternal } from './sign-in-external'
import { signUp } from './sign-up'
import { signUpAccess } from './sign-up-policy'

const visitor: Visitor = { ip: '192.0.2.7', userAgent: 'test' }
const password = 'three gray herons wade'
const newEmail = () => `${randomUUID()}@example.com`

const byPassword = (email: string, next?: string) => signUp(visitor, { name: 'New', email, password }, next)
const byProvider = (email: string) =>
  signInExternal({
    provider: 'github',
    subject: randomUUID(),
    email,
    emailVerified: true,
    name: 'New',
    avatarUrl: undefined,
  })

/** Invites an address. Returns the path of the link. */
async function invite(email: string): Promise<string> {
  const admin = await makeUser()
  const workspace = await makeWorkspace([[admin, 'ADMIN']])
  const actor: SessionActor = {
    kind: 'session',
    userId: admin.id,
    sessionId: randomUUID(),
    instanceAdmin: false,
  }
  const { link } = await createInvitation(actor, { workspaceId: workspace.id, email, role: 'MEMBER' })
  return new URL(String(link)).pathname
}

beforeEach(() => prisma().$executeRaw`DELETE FROM rate_limits`)
afterEach(() => setChangedSettings({}))

describe('closed sign-up', () => {
  it('blocks new accounts with a password, an invitation, or an identity provider, but does not affect sign-in', async () => {
    const email = newEmail()
    await byPassword(email)
    const path = await invite(newEmail())
    setChangedSettings({ signUp: 'closed' })
    for (const attempt of [byPassword(newEmail()), byPassword(newEmail(), path), byProvider(newEmail())]) {
      await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    expect(signUpAccess(path)).toBe('closed')
    expect(await signIn(visitor, { email, password })).toHaveProperty('userId')
  })
})

describe('sign-up by invitation', () => {
  beforeEach(() => setChangedSettings({ signUp: 'invitation' }))

  it('creates an account for the invited email address with the link from the invitation', async () => {
    const email = newEmail()
    const path = await invite(email)
    expect(signUpAccess(path)).toBe('open')
    expect(await byPassword(email, path)).toHaveProperty('userId')
  })

  it('rejects an email address other than the invited one, and a missing, unknown, or expired link', async () => {
    const email = newEmail()
    const path = await invite(email)
    await expect(byPassword(newEmail(), path)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(byPassword(email)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(byPassword(email, '/invitations/lk_inv_nothing')).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await prisma().invitation.updateMany({ where: { email }, data: { expiresAt: new Date(0) } })
    await expect(byPassword(email, path)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(byProvider(email)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await prisma().user.count({ where: { email } })).toBe(0)
    expect(signUpAccess('/account')).toBe('invited')
  })

  it('accepts an invited email address that an identity provider verified', async () => {
    const email = newEmail()
    await expect(byProvider(email)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await invite(email)
    expect(await byProvider(email)).toHaveProperty('userId')
  })
})
