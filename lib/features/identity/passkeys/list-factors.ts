import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { type SecondFactors, secondFactors } from '../two-factor/second-factors'
import { listPasskeys, type Passkey } from './manage-passkeys'

/** What a person has set up beyond the password, each passkey by itself. */
export type Factors = Omit<SecondFactors, 'passkeys'> & { passkeys: Passkey[] }

/**
 * Reads the person's second factors, and takes no approval for that.
 * @throws AppError FORBIDDEN for apps and confined or limited tokens
 */
export async function listFactors(actor: Actor): Promise<Factors> {
  authorizeAccount(actor)
  const [factors, passkeys] = await Promise.all([secondFactors(actor.userId), listPasskeys(actor)])
  return { ...factors, passkeys }
}
