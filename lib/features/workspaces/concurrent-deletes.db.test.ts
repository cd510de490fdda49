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

/**
 * Creates a workspace with an admin, a second user, and a resource of each kind, and another workspace with
 * the same admin.
 */
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

/** Changes that lock a role in the workspace and other rows, in different orders. */
const beside: Record<string, (world: World) => Promise<unknown>> = {
  'adding a secret to an app': ({ actor, clientId }) => addSecret(actor, clientId),
  'creating an app': ({ actor, workspaceId }) => createApp(actor, { workspaceId, ...app }),
  'approving an app': ({ actor, workspaceId, clientId }) =>
    approveApp(actor, workspaceId, clientId, { scopes: ['workspace:viewer'] }),
  'accepting an app transfer': ({ actor, offered }) => acceptTransfer(actor, offered),
  'declining an app transfer': ({ actor, offered }) => declineTransfer(actor, offered),
  'rotating the secret of a webhook': ({ actor, webhookId }) => rotateWebhookSecret(actor, webhookId),
  'inviting a user': ({ actor, workspaceId }) => createInvitation(actor, { workspaceId, ...guest() }),
  'inviting a user to a project': ({ actor, projectId }) =>
    createInvitation(actor, { projectId, ...guest() }),
  'setting a project role': ({ actor, projectId, userId }) =>
    setProjectMember(actor, { projectId, userId, role: 'ADMIN' }),
  'transferring a project to another workspace': ({ actor, projectId, otherId }) =>
    transferProject(actor, { projectId, workspaceId: otherId }),
  'transferring a project to the workspace': ({ actor, otherProjectId, workspaceId }) =>
    transferProject(actor, { projectId: otherProjectId, workspaceId }),
  'deleting a project': ({ actor, projectId }) => deleteProject(actor, projectId),
  'changing the app policy': ({ actor, workspaceId }) => setPolicy(actor, workspaceId, { policy: 'OWN' }),
  'requiring approvals': ({ actor, workspaceId }) =>
    setRequiredApprovals(actor, workspaceId, { requiresApprovalFor: ['project:delete'] }),
  'requiring two-factor authentication': ({ actor, workspaceId }) =>
    requireTwoFactorInWorkspace(actor, workspaceId, true),
}

const deletions: Record<string, (world: World) => Promise<unknown>> = {
  workspace: ({ actor, workspaceId }) => deleteWorkspace(actor, workspaceId),
  account: ({ actor, email, workspaceId }) =>
    deleteAccount(actor, { confirm: email, password: testPassword, [fieldOf(workspaceId)]: 'delete' }),
}

/**
 * Starts both requests while the roles in the workspace are locked, and releases the lock when both are
 * waiting.
 */
const meetAtRole = ({ workspaceId }: World, first: () => Promise<unknown>, second: () => Promise<unknown>) =>
  raceForLock('SELECT FROM workspace_members WHERE workspace_id = $1 FOR UPDATE', workspaceId, first, second)

const pairs = Object.keys(deletions).flatMap((deletion) => Object.keys(beside).map((ask) => [deletion, ask]))

it.each(pairs)(
  'deleting the %s succeeds, and a concurrent change (%s) that runs afterwards has no effect',
  async (deletion, ask) => {
    const given = await world()
    const outcomes = await meetAtRole(
      given,
      () => (deletions[deletion as string] as (world: World) => Promise<unknown>)(given),
      () => (beside[ask as string] as (world: World) => Promise<unknown>)(given),
    )
    // Deleting a project that no longer exists also succeeds.
    const late = ask === 'deleting a project' ? 'ok' : expect.stringMatching(/^(NOT_FOUND|CONFLICT)$/)
    expect(outcomes).toEqual(['ok', late])
    expect(await prisma().workspace.count({ where: { id: given.workspaceId } })).toBe(0)
  },
)

it.each(pairs)('deleting the %s succeeds if a concurrent change (%s) runs first', async (deletion, ask) => {
  const given = await world()
  const outcomes = await meetAtRole(
    given,
    () => (beside[ask as string] as (world: World) => Promise<unknown>)(given),
    () => (deletions[deletion as string] as (world: World) => Promise<unknown>)(given),
  )
  expect(outcomes).toEqual(['ok', 'ok'])
  expect(await prisma().workspace.count({ where: { id: given.workspaceId } })).toBe(0)
})

it('an account can be deleted while a colleague gives its user a role', async () => {
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
