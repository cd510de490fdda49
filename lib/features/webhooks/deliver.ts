import { unseal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { ring } from '@/lib/base/live/listener'
import { log } from '@/lib/base/log/log'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import type { Prisma, Webhook } from '@/lib/generated/prisma/client'
import { signPayload } from './sign-payload'

/** The result of an attempt: final, or to be retried. */
export type Outcome = 'settled' | 'again'

/**
 * Tries once to deliver, and writes down what came back. Any 2xx is success; 410 Gone switches the webhook off, as the
 * Standard Webhooks specification has it; a redirect is not followed.
 * @param last no attempt will follow this one
 */
export async function deliver(deliveryId: string, last: boolean): Promise<Outcome> {
  const delivery = await prisma().webhookDelivery.findUnique({
    where: { id: deliveryId },
    include: { webhook: true },
  })
  if (delivery?.status !== 'PENDING') return 'settled'
  const { webhook } = delivery
  if (webhook.disabledAt) {
    await note(delivery, { status: 'FAILED', response: 'The webhook is switched off.' })
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
    log.info('a webhook could not be told', {
      webhook: webhook.id,
      delivery: deliveryId,
      status: answer.status,
    })
  }
  if (gone) {
    // Only the address that answered is gone: the webhook might have another one by now.
    await prisma().webhook.updateMany({
      where: { id: webhook.id, url: webhook.url },
      data: { disabledAt: new Date() },
    })
  }
  return over ? 'settled' : 'again'
}

/** The secrets to sign with now: after a rotation, the one before it too for a while. */
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

/** The webhook, and its deliveries with it, may have been deleted meanwhile. */
async function note(
  { id, webhookId }: { id: string; webhookId: string },
  data: Prisma.WebhookDeliveryUpdateManyMutationInput,
): Promise<void> {
  await prisma().webhookDelivery.updateMany({ where: { id }, data })
  ring(`webhook:${webhookId}`)
}
