import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'

/**
 * The algorithms with which apps can sign client assertions and request objects. At least one of an app's
 * keys must be suitable for one of these algorithms.
 */
export const clientSigningAlgs = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const

const mostKeys = 20
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

/**
 * Validates an app's public keys (RFC 7517 section 5) before they are stored.
 * @returns an error message that states how to fix the keys, or undefined if they are valid
 */
export function publicKeysProblem(jwks: unknown): string | undefined {
  const keys = (jwks as { keys?: unknown } | null)?.keys
  if (!Array.isArray(keys) || !keys.every(isObject)) {
    return 'This is not a JSON Web Key Set. Enter an object with a list of keys in "keys".'
  }
  if (keys.length === 0) return 'The key set is empty. Add at least one public key.'
  if (keys.length > mostKeys) return `Use at most ${mostKeys} keys.`
  if (keys.some((key) => privateMembers.some((member) => member in key))) {
    return 'The key set contains a private key or a secret. Use public keys only, and replace that key, because it was exposed.'
  }
  // One suitable key is enough, because the set can also contain keys for other purposes.
  const problems = keys.map(keyProblem)
  return problems.every(Boolean) ? problems[0] : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns an error message if a key is not suitable for any of the `clientSigningAlgs`, or undefined if it is
 * suitable.
 */
function keyProblem(key: Record<string, unknown>): string | undefined {
  const fit = 'Use an RSA key of at least 2048 bits, an EC key on P-256, or an Ed25519 key.'
  if (key.use !== undefined && key.use !== 'sig')
    return 'The key is not for signatures. Set its "use" to "sig".'
  try {
    const made = createPublicKey({ key: key as never, format: 'jwk' })
    const { modulusLength = 0, namedCurve } = made.asymmetricKeyDetails ?? {}
    const good =
      (made.asymmetricKeyType === 'rsa' && modulusLength >= 2048) ||
      (made.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') ||
      made.asymmetricKeyType === 'ed25519'
    return good ? undefined : fit
  } catch {
    return `A key can’t be read. ${fit}`
  }
}

/**
 * An app's public keys: the key set itself, or the URL where the app publishes it. Both are absent if there
 * are no keys.
 */
export type PublicKeys = { jwks?: object; jwksUri?: string }

/**
 * The schema for an app's public keys as text: a JSON Web Key Set, a single JSON Web Key, or the https URL of
 * a key set. An empty text means no keys.
 */
export const publicKeysInput = z
  .string()
  .trim()
  .transform((text, context): PublicKeys => {
    const { problem, ...keys } = readKeys(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
    return keys
  })

function readKeys(text: string): PublicKeys & { problem?: string | undefined } {
  if (text === '') return {}
  if (/^[a-z]+:\/\//i.test(text)) return { jwksUri: text, problem: outboundUrlProblem(text) }
  try {
    const parsed = JSON.parse(text) as { kty?: unknown } | null
    const jwks = parsed?.kty === undefined ? parsed : { keys: [parsed] }
    return { jwks: jwks as object, problem: publicKeysProblem(jwks) }
  } catch {
    return {
      problem: 'Enter a JSON Web Key Set, which begins with {"keys": [, or a URL that begins with https://.',
    }
  }
}
