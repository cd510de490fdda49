import { allScopes, type Scope } from '@/lib/policy/scopes'

/**
 * The scopes of this instance that can be selected for an app, sorted by the access that they grant, least
 * first. `openid` is not selectable, because every app has it.
 */
export const leastFirst = [
  'profile',
  'email',
  'project:viewer',
  'workspace:viewer',
  'notifications',
  'project:member',
  'workspace:member',
  'offline_access',
  'ssh_keys',
  'project:admin',
  'workspace:admin',
] as const satisfies readonly Scope[]

/**
 * Returns the scopes that an app can request according to a submitted form, one per line. If the form does
 * not limit the app to selected scopes, returns all scopes, including those of APIs.
 */
export const allowedScopesOfForm = (
  { scopeLimit, allowedScopes = '' }: Record<string, string>,
  ofApis: readonly string[],
): string => (scopeLimit === 'SOME' ? allowedScopes : [...allScopes, ...ofApis].join('\n'))
