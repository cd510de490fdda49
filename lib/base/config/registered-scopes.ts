import { z } from 'zod'

/** The scopes there are; lib/policy/scopes says what each means. */
export const scopeNames = [
  'openid',
  'email',
  'profile',
  'offline_access',
  'workspace:admin',
  'workspace:member',
  'workspace:viewer',
  'project:admin',
  'project:member',
  'project:viewer',
  'notifications',
  'ssh_keys',
] as const

/** Some of them, separated by commas or line breaks; `openid`, without which nobody signs in, is always one. */
export const registeredScopes = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.enum(scopeNames, { error: `must list some of ${scopeNames.join(', ')}` })))
  .transform((names) => (names.length > 0 ? [...new Set(['openid' as const, ...names])] : []))
