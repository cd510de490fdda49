import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { requestTransfer } from '@/lib/features/app-transfers/request-transfer'
import { createProject } from '@/lib/features/projects/create-project'
import { createWebhook } from '@/lib/features/webhooks/change-webhook'
import { acceptInvitation } from '@/lib/features/workspaces/accept-invitation'
import { changeMemberRole } from '@/lib/features/workspaces/change-member'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { listWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import type { SessionActor } from '@/lib/policy/actor'
import { makeClientKey } from '@/lib/testing/client-key'
import { joinWorkspace, makeApiToken, makeClient, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer } from '@/lib/testing/server'
import { mintEmailToken } from '../email/email-tokens'
import { resetPassword } from './reset-password'
import { signUp } from './sign-up'

// Opens the demo's mailbox, so that the instance can send email.
vi.stubEnv('SEED_DEMO', '1')
resetConfig()
const server = await startTestServer()
const key = await makeClientKey()

async function user(name: string): Promise<SessionActor & { email: string }> {
  const email = `${randomUUID()}@example.com`
  const { userId } = await signUp({ ip: '192.0.2.1' }, { name, email, password: 'correct horse battery' })
  return { kind: 'session', userId, sessionId: randomUUID(), instanceAdmin: false, email }
}

async function takeOver({ userId, email }: { userId: string; email: string }) {
  const token = await prisma().$transaction((tx) =>
    mintEmailToken(tx, { purpose: 'RESET_PASSWORD', userId, email }),
  )
  return resetPassword({ ip: '192.0.2.7' }, { token, password: 'the owner chose this one' })
}

/**
 * Returns the token endpoint's error for an unknown code, which is `invalid_grant` if the app authenticated.
 */
async function tokenError(credentials: Record<string, string>): Promise<string> {
  const params = { grant_type: 'authorization_code', code: 'none', redirect_uri: 'https://app.example.test/' }
  const body = new URLSearchParams({ ...params, ...credentials })
  const answer = await server.fetch('/oauth/token', { method: 'POST', body })
  return ((await answer.json()) as { error: string }).error
}

const ownWorkspaceOf = ({ userId }: { userId: string }) =>
  prisma().workspace.findUniqueOrThrow({ where: { personalOwnerId: userId } })

/** Gives an attacker's second account every kind of access to a user's personal workspace. */
async function settle(stranger: SessionActor) {
  const { id: workspaceId } = await ownWorkspaceOf(stranger)
  const mallory = await user('Mallory')
  const project = await createProject(stranger, { workspaceId, name: 'Bait' })
  for (const to of [{ workspaceId }, { projectId: project.id }]) {
    const { link } = await createInvitation(stranger, { ...to, email: mallory.email, role: 'ADMIN' })
    await acceptInvitation(mallory, String(link).split('/').at(-1) ?? '')
    await createInvitation(stranger, { ...to, email: 'mallory-too@example.com', role: 'ADMIN' })
  }
  await createWebhook(mallory, { workspaceId, url: 'https://mallory.example/hook', events: ['member.*'] })
  await makeApiToken({ id: mallory.userId }, { workspace: { id: workspaceId } })
  await makeApiToken({ id: mallory.userId }, { project })
  const web = await makeClient({ id: workspaceId })
  const metadata = { token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks }
  const keyed = await makeClient({ id: workspaceId }, { metadata })
  await requestTransfer(stranger, web.client.id, { workspace: (await ownWorkspaceOf(mallory)).id })
  const app = await makeClient(await ownWorkspaceOf(mallory))
  const letIn = { workspaceId, clientId: app.client.id, scopes: ['project:member'] }
  await prisma().installation.create({ data: { ...letIn, projectIds: [] } })
  await prisma().managedApp.create({ data: letIn })
  const provider = { issuer: 'https://idp.mallory.example', clientId: 'c', domain: 'mallory.example' }
  await prisma().workspaceIdentityProvider.create({ data: { ...provider, workspaceId, token: 't' } })
  const link = { provider: `workspace:${workspaceId}`, subject: '1', userId: mallory.userId }
  await prisma().identity.create({ data: link })
  const bySecret = { client_id: web.client.id, client_secret: web.secret ?? '' }
  const byKey = async () => ({ client_id: keyed.client.id, ...(await key.assertion(keyed.client.id)) })
  return { workspaceId, mallory, project, bySecret, byKey }
}

describe('after a password reset, a workspace that an attacker created with another user’s email address', () => {
  let victim: Awaited<ReturnType<typeof user>>
  let settled: Awaited<ReturnType<typeof settle>>
  let ownWorkspace: string
  beforeAll(async () => {
    victim = await user('Victim')
    settled = await settle(victim)
    ownWorkspace = (await ownWorkspaceOf(settled.mallory)).id
    await changeMemberRole(settled.mallory, {
      workspaceId: settled.workspaceId,
      userId: victim.userId,
      role: 'VIEWER',
    })
    expect(await tokenError(settled.bySecret)).toBe('invalid_grant')
    expect(await tokenError(await settled.byKey())).toBe('invalid_grant')
    expect(await takeOver(victim)).toEqual({ cleared: true })
  })

  it('has the owner of the email address as its only member and admin', async () => {
    const { workspaceId, mallory, project } = settled
    expect(
      await prisma().workspaceMember.findMany({
        where: { workspaceId },
        select: { userId: true, role: true },
      }),
    ).toEqual([{ userId: victim.userId, role: 'ADMIN' }])
    expect(await prisma().projectMember.count({ where: { projectId: project.id } })).toBe(0)
    expect((await listWorkspaces(mallory)).map(({ id }) => id)).toEqual([ownWorkspace])
  })

  it('has no remaining invitations, tokens, or webhooks', async () => {
    const { workspaceId } = settled
    expect(await prisma().invitation.count({ where: { workspaceId } })).toBe(0)
    expect(await prisma().apiToken.count({ where: { userId: settled.mallory.userId } })).toBe(0)
    expect(await prisma().webhook.count({ where: { workspaceId } })).toBe(0)
  })

  it('has no remaining app installations, SSO-managed apps, or SSO connections', async () => {
    const where = { workspaceId: settled.workspaceId }
    expect(await prisma().installation.count({ where })).toBe(0)
    expect(await prisma().managedApp.count({ where })).toBe(0)
    expect(await prisma().workspaceIdentityProvider.count({ where })).toBe(0)
    expect(await prisma().identity.count({ where: { userId: settled.mallory.userId } })).toBe(0)
  })

  it('has no apps whose earlier credentials still work', async () => {
    expect(await tokenError(settled.bySecret)).toBe('invalid_client')
    expect(await tokenError(await settled.byKey())).toBe('invalid_client')
  })

  it('records the removals in its audit log', async () => {
    const { workspaceId } = settled
    const event = await prisma().auditEvent.findFirstOrThrow({
      where: { workspaceId, action: 'workspace.cleared' },
    })
    expect(event).toMatchObject({ actorKind: 'system', userId: victim.userId, ip: '192.0.2.7' })
    const ended = { members: 1, projectMembers: 1, invitations: 2, tokens: 2, webhooks: 1 }
    const ofApps = { auditStreams: 0, appSecrets: 2, appKeySets: 1, appTransfers: 1 }
    const letIn = { installations: 1, managedApps: 1, identityProviders: 1 }
    expect(event.details).toEqual({ ...ended, ...ofApps, ...letIn })
    expect(await prisma().appTransfer.count()).toBe(0)
  })
})

it('on an instance without email, a password reset does not remove the members of the user’s workspace', async () => {
  vi.stubEnv('SEED_DEMO', '0')
  resetConfig()
  const ada = await user('Ada')
  const { workspaceId } = await settle(ada)
  expect(await takeOver(ada)).toEqual({ cleared: true })
  expect(await prisma().workspaceMember.count({ where: { workspaceId } })).toBe(2)
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
})

it('a password reset clears only the personal workspace, and only if the email address was not yet confirmed', async () => {
  const ada = await user('Ada')
  const { workspaceId, mallory } = await settle(ada)
  const team = await makeWorkspace([[{ id: mallory.userId }, 'ADMIN']])
  await joinWorkspace(team, { id: ada.userId }, 'MEMBER')
  await prisma().user.update({ where: { id: ada.userId }, data: { emailVerifiedAt: new Date() } })
  expect(await takeOver(ada)).toEqual({ cleared: false })
  expect(await prisma().workspaceMember.count({ where: { workspaceId } })).toBe(2)
  expect(await prisma().webhook.count({ where: { workspaceId } })).toBe(1)
  await prisma().user.update({ where: { id: ada.userId }, data: { emailVerifiedAt: null } })
  expect(await takeOver(ada)).toEqual({ cleared: true })
  expect(await prisma().workspaceMember.count({ where: { workspaceId: team.id } })).toBe(2)
})
