import { createHmac, randomBytes } from 'node:crypto'

/** A new signing secret, in the form of the Standard Webhooks specification. */
export const mintSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * The headers that prove to a receiver where a message comes from, as https://www.standardwebhooks.com has it: an HMAC
 * with SHA-256 over id, time and body.
 * @param secrets each `whsec_` and the key in base64; more than one while a receiver changes over, which then finds the
 *   signature of whichever it knows
 * @param id the same for every attempt at one delivery, so that a receiver can drop repeats
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
