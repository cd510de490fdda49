import { z } from 'zod'

/** An e-mail address, lower case. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Use an email address of at most 254 characters.')
  .pipe(z.email('Enter an email address such as ada@example.com.'))
