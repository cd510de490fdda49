import { z } from 'zod'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { publicKeysProblem } from './public-keys'

/** An app's public keys as they are kept: the set itself, or where the app publishes it. */
export type PublicKeys = { jwks?: object; jwksUri?: string }

/**
 * Public keys as text: a JSON Web Key Set (or one key of it), or the https address where it is published; an empty text for
 * none.
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
      problem:
        'Give a JSON Web Key Set, which begins with {"keys": [, or an address that begins with https://.',
    }
  }
}
