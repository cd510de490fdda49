import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { runShutdownTasks } from '@/lib/base/process/background'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import { createStream } from '@/lib/features/audit-streams/change-stream'
import { changeSettings } from '@/lib/features/instance-settings/change-settings'
import type { SessionActor } from '@/lib/policy/actor'
import { startJobs } from '@/lib/server/jobs'
import { whileUncommitted } from '@/lib/testing/concurrency'
import { joinWorkspace, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { retryJob, runJobNow } from './jobs'
import { approveApp, decideVerification, setAppDisabled } from './manage-apps'
import { rotateSigningKeys } from './manage-keys'
import {
  makeResetLink,
  removeTwoFactorMethods,
  setInstanceAdmin,
  signOutUser,
  suspendUser,
  unsuspendUser,
} from './manage-users'
import { assignWorkspace } from './workspaces'

beforeAll(async () => {
  await startJobs(makeLogoutToken)
}, 60_000)

afterAll(async () => {
  setChangedSettings({})
  await runShutdownTasks()
})

/** Creates an instance admin and one object of each kind that instance admins can manage. */
async function world() {
  const [instanceAdmin, user] = [await makeUser({ instanceAdmin: true }), await makeUser()]
  const suspended = await makeUser({ suspendedAt: new Date() })
  const abandoned = await makeWorkspace([[suspended, 'ADMIN']])
  await joinWorkspace(abandoned, user, 'VIEWER')
  const { client } = await makeClient(await makeWorkspace())
  const waiting = await makeClient(undefined, { source: 'DYNAMIC' })
  await prisma().oAuthClient.update({ where: { id: waiting.client.id }, data: { awaitingApproval: true } })
  const webhook = { url: 'https://hooks.example.test/a', events: ['*'], sealedSecret: new Uint8Array(1) }
  const { id: webhookId } = await prisma().webhook.create({ data: { workspaceId: abandoned.id, ...webhook } })
  const sent = { webhookId, eventId: randomUUID(), event: 'project.created', payload: {} }
  const { id: failedId } = await prisma().webhookDelivery.create({ data: { ...sent, status: 'FAILED' } })
  const actor: SessionActor = {
    kind: 'session',
    userId: instanceAdmin.id,
    sessionId: randomUUID(),
    instanceAdmin: true,
  }
  return {
    actor,
    user,
    suspendedId: suspended.id,
    abandonedId: abandoned.id,
    appId: client.id,
    waitingId: waiting.client.id,
    failedId,
  }
}

type World = Awaited<ReturnType<typeof world>>

/** Actions that require the instance admin right. */
const asked: Record<string, (world: World) => Promise<unknown>> = {
  'suspending a user': ({ actor, user }) => suspendUser(actor, user.id),
  'ending a suspension': ({ actor, suspendedId }) => unsuspendUser(actor, suspendedId),
  'signing a user out': ({ actor, user }) => signOutUser(actor, user.id),
  'removing a user’s two-factor methods': ({ actor, user }) => removeTwoFactorMethods(actor, user.id),
  'creating a password reset link': ({ actor, user }) => makeResetLink(actor, user.id),
  'granting the instance admin right': ({ actor, user }) => setInstanceAdmin(actor, user.id, true),
  'disabling an app': ({ actor, appId }) => setAppDisabled(actor, appId, true),
  'verifying an app': ({ actor, appId }) =>
    decideVerification(actor, appId, { decision: 'verify', version: 0 }),
  'declining to verify an app': ({ actor, appId }) =>
    decideVerification(actor, appId, { decision: 'decline' }),
  'approving an app': ({ actor, waitingId }) => approveApp(actor, waitingId, { version: 0 }),
  'assigning a workspace': ({ actor, abandonedId, user }) =>
    assignWorkspace(actor, abandonedId, { email: user.email }),
  'changing a setting': ({ actor }) => changeSettings(actor, { restoreDays: '7' }),
  'retrying a job': ({ actor, failedId }) => retryJob(actor, failedId),
  'running a job': ({ actor }) => runJobNow(actor, 'forget-deliveries'),
  'rotating the signing keys': ({ actor }) => rotateSigningKeys(actor),
  'creating an audit stream': ({ actor }) =>
    createStream(actor, 'installation', { url: 'https://siem.example/' }),
}

it.each(Object.entries(asked))(
  'an instance admin’s action fails if the instance admin right is revoked during the request: %s',
  async (_, ask) => {
    const given = await world()
    const remove = 'UPDATE users SET instance_admin = false WHERE id = $1'
    const outcome = await whileUncommitted(
      [[remove, [given.actor.userId]]],
      () => ask(given),
      'FROM users WHERE instance_admin',
    )
    expect(outcome).toBe('FORBIDDEN')
    // Every action records an event in its transaction.
    expect(await prisma().auditEvent.count({ where: { userId: given.actor.userId } })).toBe(0)
  },
)
