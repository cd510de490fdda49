import { z } from 'zod'

/** What a person can be asked about first; lib/policy/ask-first says it in words. */
const names = [
  'project:delete',
  'project:transfer',
  'project:read-values',
  'project:write-variables',
  'workspace:manage-secrets',
  'workspace:delete',
] as const

/** Some of it, separated by commas. */
export const askFirst = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.enum(names, { error: `must list some of ${names.join(', ')}` })))
