import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { accessByAssertion } from '@/lib/features/sso/access-by-assertion'
import { signInWithSso } from '@/lib/features/sso/sign-in-with-sso'
import { acceptInvitation } from '@/lib/features/workspaces/accept-invitation'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { revokeInvitation } from '@/lib/features/workspaces/list-invitations'
import type { SessionActor } from '@/lib/policy/actor'
import { outcomeOf } from '@/lib/testing/concurrency'
import { makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { requestPasswordReset } from './request-password-reset'
import { signInExternal } from './sign-in-external'
import { beginSignUp, finishSignUp, sealSignUpLink, signUp } from './sign-up'

/** Tests attacks on the sign-up policy (signUp) through every way to create an account. */
const visitor = { ip: '192.0.2.7' }
const password = 'three gray herons wade'
const newEmail = (domain = 'elsewhere.test') => `${randomUUID()}@${domain}`

const modes = {
  closed: { signUp: 'closed' },
  invitation: { signUp: 'invitation' },
  domains: { signUp: 'domains', signUpDomains: 'example.com' },
}
type Mode = keyof typeof modes

let admin: SessionActor
let workspaceId: string

beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  await prisma().rateLimit.deleteMany()
  const { id: userId } = await makeUser()
  admin = { kind: 'session', userId, sessionId: randomUUID(), instanceAdmin: false }
  workspaceId = (await makeWorkspace([[{ id: userId }, 'ADMIN']])).id
})
afterEach(() => {
  setChangedSettings({})
  vi.unstubAllEnvs()
  resetConfig()
})

async function invite(email: string, projectId?: string) {
  const place = projectId ? { projectId } : { workspaceId }
  const { link, invitation } = await createInvitation(admin, { ...place, email, role: 'MEMBER' })
  return { path: new URL(String(link)).pathname, id: invitation.id }
}

const external = (email: string, emailVerified = true) =>
  signInExternal({
    provider: 'github',
    subject: randomUUID(),
    email,
    emailVerified,
    name: 'New',
    avatarUrl: undefined,
  })

/** Connects the workspace to a provider for a domain with automatic membership. */
async function connect() {
  const domain = `${randomUUID()}.elsewhere.test`
  const issuer = `https://idp.example.test/${randomUUID()}`
  await prisma().workspaceIdentityProvider.create({
    data: {
      workspaceId,
      issuer,
      clientId: 'c',
      domain,
      joinAs: 'MEMBER',
      token: randomUUID(),
      verifiedAt: new Date(),
    },
  })
  return { domain, issuer }
}

/** Ways to attempt to create an account for an address without an invitation. */
const ways: Record<string, (email: string) => Promise<unknown>> = {
  'the form': (email) => signUp(visitor, { name: 'New', email, password }),
  'the form with another user’s invitation as the next path': async (email) =>
    signUp(visitor, { name: 'New', email, password }, (await invite(newEmail())).path),
  'the form with a next path that only looks like an invitation': async (email) => {
    const { path } = await invite(newEmail())
    for (const next of [
      `/x${path}`,
      `/${path}`,
      `${path}/../..`,
      `/invitations/?${path}`,
      '/invitations/%00',
    ]) {
      const outcome = await outcomeOf(signUp(visitor, { name: 'New', email, password }, next))
      if (outcome !== 'FORBIDDEN') throw new Error(`${next}: ${outcome}`)
    }
    return signUp(visitor, { name: 'New', email, password }, '/invitations/')
  },
  'a request for a link': (email) => beginSignUp(visitor, { email }),
  'a link that was sent while everyone could sign up': (email) =>
    finishSignUp(visitor, { token: sealSignUpLink({ email, next: '/' }), name: 'New', password }),
  'an external provider': (email) => external(email),
  'an external provider that did not verify the address': (email) => external(email, false),
  'an expired invitation': async (email) => {
    const { path, id } = await invite(email)
    await prisma().invitation.update({ where: { id }, data: { expiresAt: new Date(0) } })
    return signUp(visitor, { name: 'New', email, password }, path)
  },
  'an expired invitation with an external provider': async (email) => {
    const { id } = await invite(email)
    await prisma().invitation.update({ where: { id }, data: { expiresAt: new Date(0) } })
    return external(email)
  },
  'an invitation that was revoked after the link was sent': async (email) => {
    const { path, id } = await invite(email)
    const token = sealSignUpLink({ email, next: path })
    await revokeInvitation(admin, id)
    return finishSignUp(visitor, { token, name: 'New', password })
  },
  'an invitation to a project that was deleted': async (email) => {
    const project = await makeProject({ id: workspaceId })
    const { path } = await invite(email, project.id)
    await prisma().project.delete({ where: { id: project.id } })
    return signUp(visitor, { name: 'New', email, password }, path)
  },
  'an invited address in a different case and with a tag': async (email) => {
    const { path } = await invite(email)
    const other = email.replace('@', '+x@').toUpperCase()
    return signUp(visitor, { name: 'New', email: other, password }, path)
  },
}

describe.each(Object.keys(modes) as Mode[])('if signUp is %s', (mode) => {
  it.each(Object.keys(ways))('no account is created with %s', async (way) => {
    const email = newEmail()
    const before = await prisma().user.count()
    setChangedSettings(modes[mode])
    expect(await outcomeOf((ways[way] as (typeof ways)[string])(email))).toBe('FORBIDDEN')
    await settleBackgroundWork()
    expect(await prisma().user.count()).toBe(before)
    expect(await prisma().identity.count({ where: { user: { email } } })).toBe(0)
  })

  it('an SSO connection creates no account, even if its users join automatically', async () => {
    const { domain, issuer } = await connect()
    setChangedSettings(modes[mode])
    const email = `new@${domain}`
    const signIn = signInWithSso(
      { workspaceId, issuer },
      { sub: 'new', email, emailVerified: true, name: 'New', avatarUrl: undefined },
    )
    expect(await outcomeOf(signIn)).toBe('FORBIDDEN')
    expect(await prisma().user.count({ where: { email } })).toBe(0)
  })

  it('a password reset for an unknown email address stores and sends nothing', async () => {
    setChangedSettings(modes[mode])
    const email = newEmail()
    await requestPasswordReset(visitor, { email })
    await settleBackgroundWork()
    expect(await readMailbox(email)).toEqual([])
    expect(await prisma().emailToken.count({ where: { email } })).toBe(0)
  })
})

it('an identity provider’s assertion creates no account, even if anyone can sign up', async () => {
  const { domain, issuer } = await connect()
  const clientId = (await makeClient(undefined)).client.id
  await prisma().managedApp.create({ data: { workspaceId, clientId, scopes: ['workspace:member'] } })
  const email = `new@${domain}`
  const access = accessByAssertion(
    {
      issuer,
      subject: 'new',
      tenant: undefined,
      jti: randomUUID(),
      exp: 0,
      email,
      addressClaims: {},
      scopes: undefined,
      resources: [],
      boundTo: undefined,
      methods: [],
    },
    clientId,
  )
  await expect(access).rejects.toMatchObject({ reason: expect.any(String) })
  expect(await prisma().user.count({ where: { email } })).toBe(0)
})

describe('an emailed sign-up link', () => {
  const finish = (token: string) => outcomeOf(finishSignUp(visitor, { token, name: 'New', password }))

  it('creates only one account, even if it is opened several times at the same moment', async () => {
    setChangedSettings({ signUpConfirm: 'first' })
    const email = newEmail()
    const token = sealSignUpLink({ email, next: '/' })
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => finish(token)))
    expect(outcomes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'ok'])
    expect(await finish(token)).toBe('CONFLICT')
    expect(await prisma().user.count({ where: { email } })).toBe(1)
  })

  it('does not give access to a suspended user’s account or change its password', async () => {
    const email = newEmail()
    const { passwordHash } = await makeUser({ email, suspendedAt: new Date() })
    expect(await finish(sealSignUpLink({ email, next: '/' }))).toBe('CONFLICT')
    const found = await prisma().user.findUniqueOrThrow({ where: { email } })
    expect([found.passwordHash, found.suspendedAt]).toEqual([passwordHash, expect.any(Date)])
  })

  it.each(['changed', 'shortened', 'extended'])('is rejected if it was %s', async (how) => {
    const token = sealSignUpLink({ email: newEmail(), next: '/' })
    const forged = {
      changed: `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`,
      shortened: token.slice(0, -4),
      extended: `${token}AAAA`,
    }[how] as string
    expect(await finish(forged)).toBe('NOT_FOUND')
  })
})

describe('an invitation', () => {
  it('makes only one user a member if several accept it at the same time', async () => {
    const { path } = await invite(newEmail())
    const token = path.split('/').at(-1) as string
    const users = [await makeUser(), await makeUser(), await makeUser()]
    const outcomes = await Promise.all(
      users.map(({ id: userId }) =>
        outcomeOf(
          acceptInvitation({ kind: 'session', userId, sessionId: randomUUID(), instanceAdmin: false }, token),
        ),
      ),
    )
    expect(outcomes.sort()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'ok'])
    expect(await prisma().workspaceMember.count({ where: { workspaceId } })).toBe(2)
  })

  it('creates only one account, and only for the invited email address, even if the invitation is for a project', async () => {
    setChangedSettings(modes.invitation)
    const project = await makeProject({ id: workspaceId })
    const email = newEmail()
    const { path } = await invite(email, project.id)
    const outcome = (address: string) =>
      outcomeOf(signUp(visitor, { name: 'New', email: address, password }, path))
    expect(await outcome(newEmail())).toBe('FORBIDDEN')
    expect(await outcome(email)).toBe('ok')
    expect(await outcome(email)).toBe('CONFLICT')
  })
})
