import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { approveApp } from '@/lib/features/app-access/decide'
import { setPolicy, setRequiredApprovals } from '@/lib/features/app-access/policy'
import { acceptTransfer, declineTransfer } from '@/lib/features/app-transfers/answer-transfer'
import { createApp } from '@/lib/features/apps/create-app'
import { addSecret } from '@/lib/features/apps/secrets'
import { createStream } from '@/lib/features/audit-streams/change-stream'
import { requireTwoFactorInWorkspace } from '@/lib/features/identity/two-factor/require-in-workspace'
import { deleteProject, restoreProject } from '@/lib/features/projects/delete-project'
import { transferProject } from '@/lib/features/projects/transfer-project'
import { removeProvider, setProvider } from '@/lib/features/sso/identity-provider'
import { allowManagedApp } from '@/lib/features/sso/managed-apps'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '@/lib/features/webhooks/change-webhook'
import type { SessionActor } from '@/lib/policy/actor'
import { outcomeOf, whileUncommitted } from '@/lib/testing/concurrency'
import { makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { lockWaits } from '@/lib/testing/lock-waits'
import { changeMemberRole } from '../change-member'
import { createInvitation } from '../create-invitation'
import { deleteWorkspace } from '../delete-workspace'
import { removeMember } from '../remove-member'
import { removeProjectMember, setProjectMember } from '../set-project-member'

/**
 * Creates a workspace with two admins, another user, and a resource of each kind, and a second workspace of
 * one of the admins.
 */
async function world() {
  const [admin, colleague] = [await makeUser(), await makeUser()]
  const { id: workspaceId } = await makeWorkspace([
    [admin, 'ADMIN'],
    [await makeUser(), 'ADMIN'],
    [colleague, 'MEMBER'],
  ])
  const other = await makeWorkspace([[admin, 'ADMIN']])
  const { id: projectId } = await makeProject({ id: workspaceId }, [[colleague, 'MEMBER']])
  const { id: deletedId } = await makeProject({ id: workspaceId })
  const { client } = await makeClient({ id: workspaceId })
  const offered = (await makeClient(other)).client.id
  const actor: SessionActor = {
    kind: 'session',
    userId: admin.id,
    sessionId: 's',
    instanceAdmin: false,
    twoFactor: true,
  }
  await deleteProject(actor, deletedId)
  await prisma().appTransfer.create({
    data: { clientId: offered, workspaceId, expiresAt: new Date(Date.now() + 3_600_000) },
  })
  const hook = { workspaceId, url: 'https://app.example/', events: ['project.*'] }
  const { webhook } = await createWebhook(actor, hook)
  const provider = { issuer: 'https://login.example.test', clientId: 'c', domain: `w${workspaceId}.test` }
  await setProvider(actor, workspaceId, provider)
  return {
    actor,
    workspaceId,
    projectId,
    deletedId,
    otherId: other.id,
    clientId: client.id,
    offered,
    userId: colleague.id,
    hook,
    webhookId: webhook.id,
    provider,
  }
}

type World = Awaited<ReturnType<typeof world>>
const email = () => `${crypto.randomUUID()}@example.com`
const app = { name: 'Late', type: 'WEB', redirectUris: ['https://app.example/callback'] }
const scopes = ['workspace:viewer']

/** Actions that require a role and whose effects outlast the user's role. */
const asked: Record<string, (world: World) => Promise<unknown>> = {
  'creating an app': ({ actor, workspaceId }) => createApp(actor, { workspaceId, ...app }),
  'adding a secret to an app': ({ actor, clientId }) => addSecret(actor, clientId),
  'accepting an app transfer': ({ actor, offered }) => acceptTransfer(actor, offered),
  'declining an app transfer': ({ actor, offered }) => declineTransfer(actor, offered),
  'creating a webhook': ({ actor, hook }) => createWebhook(actor, hook),
  'disabling a webhook': ({ actor, webhookId }) => updateWebhook(actor, webhookId, { enabled: false }),
  'deleting a webhook': ({ actor, webhookId }) => deleteWebhook(actor, webhookId),
  'rotating the secret of a webhook': ({ actor, webhookId }) => rotateWebhookSecret(actor, webhookId),
  'inviting a user': ({ actor, workspaceId }) =>
    createInvitation(actor, { workspaceId, email: email(), role: 'ADMIN' }),
  'inviting a user to a project': ({ actor, projectId }) =>
    createInvitation(actor, { projectId, email: email(), role: 'ADMIN' }),
  'changing a role': ({ actor, workspaceId, userId }) =>
    changeMemberRole(actor, { workspaceId, userId, role: 'ADMIN' }),
  'removing a member': ({ actor, workspaceId, userId }) => removeMember(actor, workspaceId, userId),
  'setting a project role': ({ actor, projectId, userId }) =>
    setProjectMember(actor, { projectId, userId, role: 'ADMIN' }),
  'removing a project member': ({ actor, projectId, userId }) =>
    removeProjectMember(actor, projectId, userId),
  'transferring a project': ({ actor, projectId, otherId }) =>
    transferProject(actor, { projectId, workspaceId: otherId }),
  'deleting a project': ({ actor, projectId }) => deleteProject(actor, projectId),
  'restoring a project': ({ actor, deletedId }) => restoreProject(actor, deletedId),
  'deleting the workspace': ({ actor, workspaceId }) => deleteWorkspace(actor, workspaceId),
  'changing the app policy': ({ actor, workspaceId }) => setPolicy(actor, workspaceId, { policy: 'OWN' }),
  'approving an app': ({ actor, workspaceId, clientId }) =>
    approveApp(actor, workspaceId, clientId, { scopes }),
  'requiring approvals': ({ actor, workspaceId }) =>
    setRequiredApprovals(actor, workspaceId, { requiresApprovalFor: ['project:delete'] }),
  'allowing an SSO-managed app': ({ actor, workspaceId, clientId }) =>
    allowManagedApp(actor, workspaceId, { clientId, scopes }),
  'setting the identity provider': ({ actor, workspaceId, provider }) =>
    setProvider(actor, workspaceId, provider),
  'removing the identity provider': ({ actor, workspaceId }) => removeProvider(actor, workspaceId),
  'requiring two-factor authentication': ({ actor, workspaceId }) =>
    requireTwoFactorInWorkspace(actor, workspaceId, true),
  'streaming the audit log': ({ actor, workspaceId }) =>
    createStream(actor, { workspaceId }, { url: 'https://siem.example/' }),
}

/** Counts the audit events. Every change records an event in its transaction. */
const eventsOf = ({ workspaceId, otherId }: World) =>
  prisma().auditEvent.count({ where: { workspaceId: { in: [workspaceId, otherId] } } })

it.each(Object.entries(asked))(
  'an action fails for a user who is demoted during the request: %s',
  async (_, ask) => {
    const given = await world()
    const before = await eventsOf(given)
    const demote = "UPDATE workspace_members SET role = 'VIEWER' WHERE workspace_id = $1 AND user_id = $2"
    const outcome = await whileUncommitted(
      [[demote, [given.workspaceId, given.actor.userId]]],
      () => ask(given),
      'workspace_members',
    )
    expect(outcome).toBe('FORBIDDEN')
    expect(await eventsOf(given)).toBe(before)
  },
)

it('a workspace keeps one admin if its two admins remove each other at the same time', async () => {
  const { actor, workspaceId } = await world()
  const [other] = await prisma().workspaceMember.findMany({
    where: { workspaceId, role: 'ADMIN', userId: { not: actor.userId } },
  })
  const second: SessionActor = { ...actor, userId: String(other?.userId) }
  const outcomes = await Promise.allSettled([
    removeMember(actor, workspaceId, second.userId),
    removeMember(second, workspaceId, actor.userId),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await prisma().workspaceMember.count({ where: { workspaceId, role: 'ADMIN' } })).toBe(1)
})

it('changing a project’s members or deleting the project fails if it is transferred during the request', async () => {
  const { actor, projectId, userId, otherId } = await world()
  const moving = await pool().connect()
  try {
    await moving.query('BEGIN')
    await moving.query('UPDATE projects SET workspace_id = $1 WHERE id = $2', [otherId, projectId])
    const ask = [
      setProjectMember(actor, { projectId, userId, role: 'ADMIN' }),
      createInvitation(actor, { projectId, email: email(), role: 'ADMIN' }),
      deleteProject(actor, projectId),
    ].map(outcomeOf)
    await expect.poll(() => lockWaits(), { timeout: 15_000 }).toBe(ask.length)
    await moving.query('COMMIT')
    expect(await Promise.all(ask)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
  } finally {
    moving.release(true)
  }
  const [member] = await prisma().projectMember.findMany({ where: { projectId, userId } })
  expect([member?.role, await prisma().invitation.count({ where: { projectId } })]).toEqual(['MEMBER', 0])
})
