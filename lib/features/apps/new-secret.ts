import { hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import type { Actor } from '@/lib/policy/actor'

/** A client secret just made: the row to store, which holds its SHA-256 alone, and the plain value to show once. */
export function newSecret(actor: Actor) {
  const value = mintCredential('clientSecret')
  const row = {
    hash: Uint8Array.from(hashCredential(value)),
    lastFour: lastFour(value),
    createdById: actor.userId,
  }
  return { value, row }
}
