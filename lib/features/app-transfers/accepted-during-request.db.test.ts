import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { revokeAllUsers, revokeUser } from '@/lib/features/apps/activity/revoke-users'
import { claimDomain, removeDomain } from '@/lib/features/apps/app-domain'
import { removeLogo } from '@/lib/features/apps/change-logo'
import { addSecret, revokeSecret } from '@/lib/features/apps/secrets'
import { deleteApp, updateApp } from '@/lib/features/apps/update-app'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '@/lib/features/webhooks/change-webhook'
import type { SessionActor } from '@/lib/policy/actor'
import { whileUncommitted } from '@/lib/testing/concurrency'
import { makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { cancelTransfer } from './answer-transfer'
import { requestTransfer } from './request-transfer'

type World = {
  actor: SessionActor
  workspaceId: string
  clientId: string
  otherId: string
  webhookId: string
}

const endpoint = { url: 'https://app.example/', events: ['app.*'] }

async function world(): Promise<World> {
  const [giver, taker] = [await makeUser(), await makeUser()]
  const from = await makeWorkspace([[giver, 'ADMIN']])
  const to = await makeWorkspace([[taker, 'ADMIN']])
  const { client } = await makeClient(from)
  await prisma().authorization.create({ data: { clientId: client.id, userId: taker.id, scopes: ['openid'] } })
  await prisma().appDomain.create({
    data: { clientId: client.id, domain: 'example.test', token: 't', verifiedAt: new Date() },
  })
  const expiresAt = new Date(Date.now() + 3_600_000)
  await prisma().appTransfer.create({ data: { clientId: client.id, workspaceId: to.id, expiresAt } })
  const actor = { kind: 'session', userId: giver.id, sessionId: 's', instanceAdmin: false } as const
  const ids = { workspaceId: from.id, clientId: client.id }
  const { webhook } = await createWebhook(actor, { ...ids, ...endpoint })
  return { actor, ...ids, otherId: to.id, webhookId: webhook.id }
}

/**
 * Actions of an admin whose role was checked before the app was transferred. Each action waits for the app's
 * lock during the transfer.
 */
const asked: Record<string, (world: World) => Promise<unknown>> = {
  'adding a webhook': ({ actor, workspaceId, clientId }) =>
    createWebhook(actor, { workspaceId, clientId, ...endpoint }),
  'adding a secret': ({ actor, clientId }) => addSecret(actor, clientId),
  'revoking a secret': async ({ actor, clientId }) => {
    const [secret] = await prisma().oAuthClientSecret.findMany({ where: { clientId } })
    await revokeSecret(actor, clientId, String(secret?.id))
  },
  'changing the app’s settings': ({ actor, clientId }) => updateApp(actor, clientId, { name: 'Mine' }),
  'removing a logo': ({ actor, clientId }) => removeLogo(actor, clientId, 'dark'),
  'claiming a domain': ({ actor, clientId }) => claimDomain(actor, clientId, { domain: 'app.example.test' }),
  'removing the domain': ({ actor, clientId }) => removeDomain(actor, clientId),
  'revoking a user’s access': async ({ actor, clientId }) => {
    const { userId } = await prisma().authorization.findFirstOrThrow({ where: { clientId } })
    await revokeUser(actor, clientId, userId)
  },
  'revoking all users’ access': ({ actor, clientId }) => revokeAllUsers(actor, clientId),
  'requesting another transfer': ({ actor, clientId, otherId }) =>
    requestTransfer(actor, clientId, { workspace: otherId }),
  'canceling the transfer': ({ actor, clientId }) => cancelTransfer(actor, clientId),
  'deleting the app': ({ actor, clientId }) => deleteApp(actor, clientId),
  'enabling the app’s webhook': ({ actor, webhookId }) => updateWebhook(actor, webhookId, { enabled: true }),
  'rotating the webhook’s secret': ({ actor, webhookId }) => rotateWebhookSecret(actor, webhookId),
  'deleting the webhook': ({ actor, webhookId }) => deleteWebhook(actor, webhookId),
}

const stateOf = ({ clientId: id }: World) =>
  prisma().oAuthClient.findUniqueOrThrow({
    where: { id },
    include: { secrets: true, authorizations: true, webhooks: true, domain: true, offer: true },
  })

describe('a former admin’s request that waits for the transfer of the app', () => {
  it.each(Object.entries(asked))('fails with NOT_FOUND and changes nothing: %s', async (_, ask) => {
    const given = await world()
    const { webhooks: endpoints, ...before } = await stateOf(given)
    const { otherId, clientId } = given
    const outcome = await whileUncommitted(
      [
        ['UPDATE oauth_clients SET workspace_id = $1 WHERE id = $2', [otherId, clientId]],
        [
          'UPDATE webhooks SET workspace_id = $1, disabled_at = now() WHERE client_id = $2',
          [otherId, clientId],
        ],
      ],
      () => ask(given),
    )
    expect(outcome).toBe('NOT_FOUND')
    const { webhooks, ...app } = await stateOf(given)
    const moved = { workspaceId: otherId, disabledAt: expect.any(Date) }
    expect(app).toEqual({ ...before, workspaceId: otherId })
    expect(webhooks).toEqual(endpoints.map((each) => ({ ...each, ...moved })))
  })
})
