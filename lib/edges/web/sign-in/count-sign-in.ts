import { isAppError } from '@/lib/base/errors/app-error'
import { signIns } from '@/lib/base/telemetry/metrics'

/** A way to prove who one is. */
export type SignInWay =
  | 'password'
  | 'sign-up'
  | 'passkey'
  | 'provider'
  | 'second-step-code'
  | 'second-step-passkey'

/** What failed is counted as: a limit is no proof of anything, and what is away or broken is nobody's try. */
function outcomeOf(error: unknown): string {
  // The provider's word for somebody who turned back there.
  if (error instanceof Error && error.name === 'AuthorizationResponseError') return 'refused'
  if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') return 'failed'
  return error.code === 'RATE_LIMITED' ? 'limited' : 'refused'
}

/** Counts a try to sign in that fails. @returns what it comes to, unchanged */
export async function countTry<Proof>(method: SignInWay, attempt: Promise<Proof>): Promise<Proof> {
  try {
    return await attempt
  } catch (error) {
    signIns.add({ method, outcome: outcomeOf(error) })
    throw error
  }
}

/** Counts a proof that was good. @param owed whether a second step is to follow, which is counted on its own */
export const countProof = (method: SignInWay, owed: boolean): void =>
  signIns.add({ method, outcome: owed ? 'second-step-owed' : 'success' })
