import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'

const perAddress: AttemptLimit = {
  name: 'provider-address',
  points: 60,
  seconds: 60,
  message: 'Too many sign-in attempts from your address. Wait a moment, then try again.',
}

/**
 * Bounds how often one address has us ask an identity provider, which may shut us out: a sign-in counts when it begins, and
 * when it comes back.
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
export async function limitExternalSignIn(ip: string | undefined): Promise<void> {
  if (ip) await countAttempt(perAddress, ip)
}
