import { z } from 'zod'
import { databaseNow } from './clock'

/** The input for the expiry of a new credential, in the future by the database clock; null or left out for none. */
export const expiryInput = z.coerce
  .date({ error: 'Enter a date.' })
  .refine((date) => date.getTime() > databaseNow(), 'Choose a date in the future.')
  .nullish()

/** Returns the moment a number of days from now, as a form sends it; null if the user chose no expiry. */
export function expiresInDays(days: string | undefined): Date | null {
  const count = Number(days)
  return count > 0 ? new Date(databaseNow() + count * 86_400_000) : null
}
