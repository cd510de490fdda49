import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { approveApp } from '@/lib/features/app-access/decide'
import { setPolicy, setRequiredApprovals } from '@/lib/features/app-access/policy'
import { acceptTransfer, declineTransfer } from '@/lib/features/app-transfers/answer-transfer'
import { createApp } from '@/lib/features/apps/create-app'
import { addSecret } from '@/lib/features/apps/secrets'
import { deleteAccount, fieldOf } from '@/lib/features/identity/delete-account'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { requireTwoFactorInWorkspace } from '@/lib/features/identity/two-factor/require-in-workspace'
import { deleteProject } from '@/lib/features/projects/delete-project'
import { transferProject } from '@/lib/features/projects/transfer-project'
import { createWebhook, rotateWebhookSecret } from '@/lib/features/webhooks/change-webhook'
import type { SessionActor } from '@/lib/policy/actor'
import { raceForLock } from '@/lib/testing/concurrency'
import { makeClient, makeProject, makeUser, makeWorkspace, testPassword } from '@/lib/testing/factories'
import { createInvitation } from './create-invitation'
import { deleteWorkspace } from './delete-workspace'
import { setProjectMember } from './set-project-member'

/** A workspace with one admin and a colleague, something of every kind in it, and another one of the same admin. */
async function world() {
  const [admin, colleague] = [await makeUser(), await makeUser()]
  const { id: workspaceId } = await makeWorkspace([
    [admin, 'ADMIN'],
    [colleague, 'MEMBER'],
  ])
  const other = await makeWorkspace([
    [admin, 'ADMIN'],
    [await makeUser(), 'ADMIN'],
  ])
  const { id: projectId } = await makeProject({ id: workspaceId })
  const { id: otherProjectId } = await makeProject(other)
  const { client } = await makeClient({ id: workspaceId })
  const offered = (await makeClient(other)).client.id
  const sessionId = await startSession({}, admin.id, ['pwd'])
  const actor: SessionActor = {
    kind: 'session',
    userId: admin.id,
    sessionId,
    instanceAdmin: false,
    twoFactor: true,
  }
  await prisma().appTransfer.create({
    data: { clientId: offered, workspaceId, expiresAt: new Date(Date.now() + 3_600_000) },
  })
  const hook = { url: 'https://app.example/', events: ['project.*'] }
  const { webhook } = await createWebhook(actor, { workspaceId, ...hook })
  return {
    actor,
    email: admin.email,
    workspaceId,
    projectId,
    otherId: other.id,
    otherProjectId,
    clientId: client.id,
    offered,
    userId: colleague.id,
    webhookId: webhook.id,
  }
}

type World = Awaited<ReturnType<typeof world>>
const guest = () => ({ email: `${crypto.randomUUID()}@example.com`, role: 'ADMIN' })
const app = { name: 'Late', type: 'WEB', redirectUris: ['https://app.example/callback'] }

/** What holds a role in the workspace, before or after it locks something else. */
const beside: Record<string, (world: World) => Promise<unknown>> = {
  'a secret of an app': ({ actor, clientId }) => addSecret(actor, clientId),
  'another app': ({ actor, workspaceId }) => createApp(actor, { workspaceId, ...app }),
  'an app approved': ({ actor, workspaceId, clientId }) =>
    approveApp(actor, workspaceId, clientId, { scopes: ['workspace:viewer'] }),
  'an app accepted': ({ actor, offered }) => acceptTransfer(actor, offered),
  'an app declined': ({ actor, offered }) => declineTransfer(actor, offered),
  'the secret of a webhook': ({ actor, webhookId }) => rotateWebhookSecret(actor, webhookId),
  'an invitation': ({ actor, workspaceId }) => createInvitation(actor, { workspaceId, ...guest() }),
  'an invitation to a project': ({ actor, projectId }) => createInvitation(actor, { projectId, ...guest() }),
  'a role in a project': ({ actor, projectId, userId }) =>
    setProjectMember(actor, { projectId, userId, role: 'ADMIN' }),
  'a project moved out': ({ actor, projectId, otherId }) =>
    transferProject(actor, { projectId, workspaceId: otherId }),
  'a project moved in': ({ actor, otherProjectId, workspaceId }) =>
    transferProject(actor, { projectId: otherProjectId, workspaceId }),
  'a project deleted': ({ actor, projectId }) => deleteProject(actor, projectId),
  'another policy': ({ actor, workspaceId }) => setPolicy(actor, workspaceId, { policy: 'OWN' }),
  'apps that ask first': ({ actor, workspaceId }) =>
    setRequiredApprovals(actor, workspaceId, { requiresApprovalFor: ['project:delete'] }),
  'two factors': ({ actor, workspaceId }) => requireTwoFactorInWorkspace(actor, workspaceId, true),
}

const deletions: Record<string, (world: World) => Promise<unknown>> = {
  workspace: ({ actor, workspaceId }) => deleteWorkspace(actor, workspaceId),
  account: ({ actor, email, workspaceId }) =>
    deleteAccount(actor, { confirm: email, password: testPassword, [fieldOf(workspaceId)]: 'delete' }),
}

/** Both go as far as the admin's role, or wait for the other before it; then it is given free. */
const meetAtRole = ({ workspaceId }: World, first: () => Promise<unknown>, second: () => Promise<unknown>) =>
  raceForLock('SELECT FROM workspace_members WHERE workspace_id = $1 FOR UPDATE', workspaceId, first, second)

const pairs = Object.keys(deletions).flatMap((deletion) => Object.keys(beside).map((ask) => [deletion, ask]))

it.each(pairs)('deletes the %s, and a change that follows finds nothing: %s', async (deletion, ask) => {
  const given = await world()
  const outcomes = await meetAtRole(
    given,
    () => (deletions[deletion as string] as (world: World) => Promise<unknown>)(given),
    () => (beside[ask as string] as (world: World) => Promise<unknown>)(given),
  )
  // A project that is gone already counts as deleted.
  const late = ask === 'a project deleted' ? 'ok' : expect.stringMatching(/^(NOT_FOUND|CONFLICT)$/)
  expect(outcomes).toEqual(['ok', late])
  expect(await prisma().workspace.count({ where: { id: given.workspaceId } })).toBe(0)
})

it.each(pairs)('deletes the %s after a change that came first: %s', async (deletion, ask) => {
  const given = await world()
  const outcomes = await meetAtRole(
    given,
    () => (beside[ask as string] as (world: World) => Promise<unknown>)(given),
    () => (deletions[deletion as string] as (world: World) => Promise<unknown>)(given),
  )
  expect(outcomes).toEqual(['ok', 'ok'])
  expect(await prisma().workspace.count({ where: { id: given.workspaceId } })).toBe(0)
})

it('deletes an account while a colleague gives it a role', async () => {
  const [leaving, colleague] = [await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([
    [leaving, 'MEMBER'],
    [colleague, 'ADMIN'],
  ])
  const project = await makeProject(workspace)
  const actorOf = async ({ id }: { id: string }): Promise<SessionActor> => ({
    kind: 'session',
    userId: id,
    sessionId: await startSession({}, id, ['pwd']),
    instanceAdmin: false,
  })
  const [own, theirs] = [await actorOf(leaving), await actorOf(colleague)]
  const role = { projectId: project.id, userId: leaving.id, role: 'ADMIN' }
  const outcomes = await raceForLock(
    'SELECT FROM workspace_members WHERE user_id = $1 FOR UPDATE',
    colleague.id,
    () => setProjectMember(theirs, role),
    () => deleteAccount(own, { confirm: leaving.email, password: testPassword }),
  )
  expect(outcomes).toEqual(['ok', 'ok'])
  expect(await prisma().user.count({ where: { id: leaving.id } })).toBe(0)
})
