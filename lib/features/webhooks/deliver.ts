import { createHmac, randomBytes } from 'node:crypto'
import type PgBoss from 'pg-boss'
import { unseal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { type StopWork, workFairlyByReceiver } from '@/lib/base/jobs/workers'
import { announceChange } from '@/lib/base/live/listener'
import { log } from '@/lib/base/log/log'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import type { Prisma, Webhook } from '@/lib/generated/prisma/client'
import { type DeliveryJob, deliveryQueue, queueDeliveriesWithoutJob } from './queue-deliveries'

/** Creates a signing secret in the format of the Standard Webhooks specification. */
export const mintSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Returns the headers with which a receiver can verify a message (https://www.standardwebhooks.com): the ID,
 * the time, and the signatures. Each signature is an HMAC with SHA-256 over the ID, the time, and the body.
 * @param secrets the secrets in use, each `whsec_` followed by the key in base64; the message gets one
 * signature for each secret
 * @param id the message ID, which is the same for every delivery attempt, so that receivers can ignore
 * duplicates
 */
export function signPayload(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** The result of an attempt: `settled` if it is final, or `again` if the delivery must be retried. */
export type Outcome = 'settled' | 'again'

/**
 * Attempts a pending delivery and stores the response. Does nothing if the delivery was deleted or is no
 * longer pending. If the webhook or its app is disabled, the delivery fails without an attempt. Any 2xx
 * response is a success. A 410 Gone response disables the webhook, as in the Standard Webhooks
 * specification. Redirects are not followed.
 * @param last whether this is the last attempt
 */
export async function deliver(deliveryId: string, last: boolean): Promise<Outcome> {
  const delivery = await prisma().webhookDelivery.findUnique({
    where: { id: deliveryId },
    include: { webhook: { include: { client: { select: { disabledAt: true } } } } },
  })
  if (delivery?.status !== 'PENDING') return 'settled'
  const { webhook } = delivery
  if (webhook.disabledAt || webhook.client?.disabledAt) {
    const disabled = webhook.disabledAt ? 'webhook' : 'app'
    await note(delivery, { status: 'FAILED', response: `The ${disabled} is disabled.` })
    return 'settled'
  }
  const answer = await post(webhook.url, signingSecrets(webhook), delivery)
  const delivered = answer.status !== undefined && answer.status >= 200 && answer.status < 300
  const gone = answer.status === 410
  const over = delivered || gone || last
  await note(delivery, {
    status: delivered ? 'DELIVERED' : over ? 'FAILED' : 'PENDING',
    attempts: { increment: 1 },
    lastAttemptAt: new Date(),
    responseStatus: answer.status ?? null,
    response: answer.text,
  })
  if (over && !delivered) {
    log.info('a webhook could not be delivered', {
      webhook: webhook.id,
      delivery: deliveryId,
      status: answer.status,
    })
  }
  if (gone) {
    // Disable the webhook only if its URL has not changed since this attempt, because the response does not
    // apply to another URL.
    await prisma().webhook.updateMany({
      where: { id: webhook.id, url: webhook.url },
      data: { disabledAt: new Date() },
    })
  }
  return over ? 'settled' : 'again'
}

/** Returns the current signing secret, and the former secret if that secret has not expired yet. */
function signingSecrets({ sealedSecret, sealedPreviousSecret, previousSecretExpiresAt }: Webhook): string[] {
  const overlaps = previousSecretExpiresAt && previousSecretExpiresAt > new Date()
  const sealed = [sealedSecret, ...(overlaps && sealedPreviousSecret ? [sealedPreviousSecret] : [])]
  return sealed.map((secret) => unseal(secret, 'webhook-secret'))
}

async function post(
  url: string,
  secrets: readonly string[],
  { eventId, payload }: { eventId: string; payload: unknown },
): Promise<{ status?: number; text: string }> {
  const body = JSON.stringify(payload)
  try {
    const { status, body: response } = await guardedFetch(url, {
      purpose: 'webhook',
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Latchkey-Webhooks',
        ...signPayload(secrets, { id: `evt_${eventId}`, body, at: new Date() }),
      },
      timeoutMs: 15_000,
      maxBytes: 2_048,
      truncate: true,
    })
    return { status, text: response.toString('utf8').replaceAll('\0', '') }
  } catch (error) {
    return { text: error instanceof Error ? error.message : 'The address could not be reached.' }
  }
}

/** Updates a delivery, if it still exists, and announces the change. */
async function note(
  { id, webhookId }: { id: string; webhookId: string },
  data: Prisma.WebhookDeliveryUpdateManyMutationInput,
): Promise<void> {
  await prisma().webhookDelivery.updateMany({ where: { id }, data })
  announceChange(`webhook:${webhookId}`)
}

/**
 * Starts to deliver queued webhook messages, and queues pending deliveries that have no job. A receiver that
 * does not respond delays only its own messages.
 * @param boss a started pg-boss instance
 * @returns a function that stops the work, as for `workFairlyByReceiver`
 */
export async function runDeliveries(boss: PgBoss): Promise<StopWork> {
  const stop = await workFairlyByReceiver<DeliveryJob>(
    boss,
    deliveryQueue,
    { longestMs: 45_000 },
    async ({ id, isLast }) => {
      const outcome = await deliver(id, isLast)
      return outcome === 'again'
        ? { retry: 'The delivery failed. See the webhook’s log for the reason.' }
        : undefined
    },
  )
  await queueDeliveriesWithoutJob()
  return stop
}
