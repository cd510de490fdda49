import { describe, expect, inject, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { addSecret } from '@/lib/features/apps/add-secret'
import { removeLogo } from '@/lib/features/apps/change-logo'
import { deleteApp } from '@/lib/features/apps/delete-app'
import { updateApp } from '@/lib/features/apps/update-app'
import { createWebhook } from '@/lib/features/webhooks/change-webhook'
import type { SessionActor } from '@/lib/policy/actor'
import { makeClient, makePerson, makeWorkspace } from '@/lib/testing/factories'

type World = { actor: SessionActor; workspaceId: string; clientId: string; otherId: string }

async function world(): Promise<World> {
  const [giver, taker] = [await makePerson(), await makePerson()]
  const from = await makeWorkspace([[giver, 'ADMIN']])
  const to = await makeWorkspace([[taker, 'ADMIN']])
  const { client } = await makeClient(from)
  await prisma().authorization.create({ data: { clientId: client.id, userId: taker.id, scopes: ['openid'] } })
  const actor = { kind: 'session', userId: giver.id, sessionId: 's', instanceAdmin: false } as const
  return { actor, workspaceId: from.id, clientId: client.id, otherId: to.id }
}

const waitsForLock = async (query: string) => {
  const { rows } = await pool().query(
    `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'`,
    [query],
  )
  return rows.length > 0
}

/** What an admin asks for who was one when they were looked up, and waits for the app while it is on its way to another workspace. */
const asked: Record<string, (world: World) => Promise<unknown>> = {
  'an endpoint': ({ actor, workspaceId, clientId }) =>
    createWebhook(actor, { workspaceId, clientId, url: 'https://app.example/', events: ['app.*'] }),
  'a secret': ({ actor, clientId }) => addSecret(actor, clientId),
  'other settings': ({ actor, clientId }) => updateApp(actor, clientId, { name: 'Mine' }),
  'another logo': ({ actor, clientId }) => removeLogo(actor, clientId),
  'its end': ({ actor, clientId }) => deleteApp(actor, clientId),
}

/** What there is of the app. */
async function stateOf({ clientId: id }: World) {
  const app = await prisma().oAuthClient.findUnique({
    where: { id },
    include: { secrets: true, authorizations: true },
  })
  return { app, webhooks: await prisma().webhook.count({ where: { clientId: id } }) }
}

// On Citus it is a worker that waits, and the coordinator for the worker.
describe.skipIf(inject('workerUrls').length > 0)('whoever gave an app away at that moment', () => {
  it.each(Object.entries(asked))('gets nothing of what they ask: %s', async (_, ask) => {
    const given = await world()
    const moving = await pool().connect()
    try {
      await moving.query('BEGIN')
      await moving.query('UPDATE oauth_clients SET workspace_id = $1 WHERE id = $2', [
        given.otherId,
        given.clientId,
      ])
      const before = await stateOf(given)
      const outcome = ask(given).then(
        () => 'ok',
        (error) => error.code as string,
      )
      await Promise.race([
        outcome,
        expect.poll(() => waitsForLock('oauth_clients'), { timeout: 15_000 }).toBe(true),
      ])
      await moving.query('COMMIT')
      expect(await outcome).toBe('NOT_FOUND')
      const after = { ...before, app: { ...before.app, workspaceId: given.otherId } }
      expect(await stateOf(given)).toEqual(after)
    } finally {
      moving.release(true)
    }
  })
})
