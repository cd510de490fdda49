import { hash } from 'node:crypto'
import { seal, unseal } from '@/lib/base/credentials/seal'

/**
 * A token response kept for the client that never received it. The key is made from the refresh token that was
 * presented, so the stored answer opens only for whoever has that token; what else the request said is bound to it.
 */
export type TokenAnswer = Record<string, unknown>

/** What must be the same for the same answer: scope, resource and DPoP key of the request. */
export type Binding = { scope?: unknown; resource?: unknown; jkt?: unknown }

/** The token holds 256 random bits, so one hash, kept apart from the stored one by its prefix, is a key. */
const answerKey = (refreshToken: string) =>
  hash('sha256', `latchkey refresh-replay ${refreshToken}`, 'buffer')

const bindingText = ({ scope, resource, jkt }: Binding) =>
  JSON.stringify([scope ?? null, resource ?? null, jkt ?? null])

export const sealAnswer = (refreshToken: string, binding: Binding, answer: TokenAnswer): Buffer =>
  seal(JSON.stringify({ binding: bindingText(binding), answer }), answerKey(refreshToken))

/** @returns the first answer, or undefined when this request asked for something else */
export function openAnswer(
  refreshToken: string,
  binding: Binding,
  sealed: Uint8Array,
): TokenAnswer | undefined {
  const kept = JSON.parse(unseal(sealed, answerKey(refreshToken))) as { binding: string; answer: TokenAnswer }
  return kept.binding === bindingText(binding) ? kept.answer : undefined
}
