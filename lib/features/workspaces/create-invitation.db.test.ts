import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { createInvitation } from './create-invitation'

let actor: SessionActor
let workspaceId: string

beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  const user = await makeUser({ name: 'See https://evil.example/unlock' })
  actor = { kind: 'session', userId: user.id, sessionId: randomUUID(), instanceAdmin: false }
  workspaceId = (await makeWorkspace([[user, 'ADMIN']], { name: 'URGENT: evil.example' })).id
})
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

const invite = (email = `${randomUUID()}@example.com`) =>
  createInvitation(actor, { workspaceId, email, role: 'VIEWER' })

async function mailTo(address: string) {
  await settleBackgroundWork()
  return (await readMailbox(address))[0]
}

describe('inviting a user', () => {
  it('sends an email whose subject omits the workspace name and whose links all lead to this instance', async () => {
    const { invitation, link, mailed } = await invite()
    expect(mailed).toBe(true)
    const mail = await mailTo(invitation.email)
    expect(mail?.subject).toBe('You’re invited to Latchkey')
    expect(mail?.text).toContain(link)
    expect(mail?.text).not.toMatch(/evil\.example/)
  })

  it('returns the link instead of sending an email if the inviter’s email address is not verified', async () => {
    await prisma().user.update({ where: { id: actor.userId }, data: { emailVerifiedAt: null } })
    const { invitation, link, mailed } = await invite()
    expect(mailed).toBe(false)
    expect(link).toMatch(/\/invitations\/\w+$/)
    expect(await mailTo(invitation.email)).toBeUndefined()
  })

  it('returns the link instead of sending more than ten emails an hour to one mailbox', async () => {
    const email = `${randomUUID()}@example.com`
    for (let i = 0; i < 10; i++) expect((await invite(email)).mailed).toBe(true)
    expect(await invite(email)).toMatchObject({
      mailed: false,
      link: expect.stringContaining('/invitations/'),
    })
    await settleBackgroundWork()
    expect(await readMailbox(email)).toHaveLength(10)
  })

  it('fails after 50 invitations in an hour', async () => {
    for (let i = 0; i < 50; i++) await invite(`colleague-${i}@example.com`)
    await expect(invite()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})
