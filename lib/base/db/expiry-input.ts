import { z } from 'zod'
import { databaseNow } from './clock'

/**
 * The input for a new credential's expiry, which must be in the future on the database clock. It is null or
 * omitted for a credential that never expires.
 */
export const expiryInput = z.coerce
  .date({ error: 'Enter a valid date.' })
  .refine((date) => date.getTime() > databaseNow(), 'Choose a date in the future.')
  .nullish()

/**
 * Returns the time that is the given number of days from now on the database clock. Returns null if `days` is
 * not a positive number, which means that the user chose no expiry.
 */
export function expiresInDays(days: string | undefined): Date | null {
  const count = Number(days)
  return count > 0 ? new Date(databaseNow() + count * 86_400_000) : null
}
