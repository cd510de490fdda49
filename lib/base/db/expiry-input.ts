import { z } from 'zod'
import { databaseNow } from './clock'

/** When a credential that somebody makes ends, by the database's clock (decision 110); left out or null for never. */
export const expiryInput = z.coerce
  .date({ error: 'Enter a date.' })
  .refine((date) => date.getTime() > databaseNow(), 'Choose a date in the future.')
  .nullish()

/** The moment that a form's choice of days ends at, counted from now; null for the choice of never. */
export function expiresInDays(days: string | undefined): Date | null {
  const count = Number(days)
  return count > 0 ? new Date(databaseNow() + count * 86_400_000) : null
}
