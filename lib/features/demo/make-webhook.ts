import { randomUUID } from 'node:crypto'
import { seal } from '@/lib/base/credentials/seal'
import { idAt } from '@/lib/base/db/keyset'
import { mintSigningSecret } from '@/lib/features/webhooks/sign-payload'
import { type DemoPlace, daysAgo, idOf } from './demo-place'

/** What was told, so many days ago, and what came back. */
const told: [days: number, event: string, resource: string, status: number][] = [
  [26, 'project.created', 'project', 204],
  [24, 'member.added', 'user', 204],
  [18, 'app.authorized', 'authorization', 204],
  [11, 'project.updated', 'project', 204],
  [9, 'token.created', 'api_token', 503],
  [8, 'token.created', 'api_token', 204],
  [3, 'project.updated', 'project', 204],
  [1, 'app.authorized', 'authorization', 204],
]

/** A webhook with what it delivered. It is switched off: nobody listens at its address, and nothing is to be sent there. */
export async function makeWebhook(place: DemoPlace): Promise<string> {
  const { tx, workspaceId, people, now } = place
  const createdAt = daysAgo(place, 28)
  const webhookId = idAt(createdAt)
  await tx.webhook.create({
    data: {
      id: webhookId,
      workspaceId,
      url: 'https://hooks.acme.example/latchkey',
      events: ['app.authorized', 'member.*', 'project.*', 'token.*'],
      sealedSecret: Uint8Array.from(seal(mintSigningSecret(), 'webhook-secret')),
      disabledAt: now,
      createdAt,
    },
  })
  await tx.webhookDelivery.createMany({
    data: told.map(([days, event, type, status]) => {
      const at = daysAgo(place, days, 12)
      const taken = status < 300
      const actor = { kind: 'session', userId: idOf(people, 'ada@example.com'), id: null }
      return {
        id: idAt(at),
        webhookId,
        eventId: randomUUID(),
        event,
        payload: {
          type: event,
          timestamp: at.toISOString(),
          data: { workspaceId, resource: { type, id: idAt(at) }, actor, details: {} },
        },
        status: taken ? ('DELIVERED' as const) : ('FAILED' as const),
        attempts: taken ? 1 : 11,
        responseStatus: status,
        response: taken ? '' : 'Service Unavailable',
        createdAt: at,
        lastAttemptAt: at,
      }
    }),
  })
  return webhookId
}
