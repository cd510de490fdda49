import { config } from '@/lib/base/config/env'
import { countAttempt } from '@/lib/base/db/attempt-limit'
import { isAppError } from '@/lib/base/errors/app-error'

const message = 'too many registrations from this address'

/**
 * Counts one registration of an address: so many an hour, and beyond that a reserve that makes a burst possible and comes
 * back the next day (REGISTRATION_PER_HOUR, REGISTRATION_BURST).
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
export async function limitRegistration(address: string | undefined): Promise<void> {
  if (!address) return
  const { REGISTRATION_PER_HOUR: hourly, REGISTRATION_BURST: burst } = config()
  try {
    const limit = { name: 'register-hour', points: hourly, seconds: 3600, message }
    await countAttempt({ ...limit, isFirstOfTwo: burst > hourly }, address)
  } catch (error) {
    if (!isAppError(error) || burst <= hourly) throw error
    const reserve = { name: 'register-burst', points: burst - hourly, seconds: 86_400, message }
    await countAttempt(reserve, address).catch((refusal) => {
      // The hour is over sooner than the day.
      throw isAppError(refusal) ? error : refusal
    })
  }
}
