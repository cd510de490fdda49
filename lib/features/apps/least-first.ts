import { allScopes, type Scope } from '@/lib/policy/scopes'

/** An app's selectable scopes, with the least access first. `openid` is not selectable, because every app has it. */
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

/** Returns the scopes that a form allows: all scopes, including those of APIs, or only the selected ones. */
export const allowedScopesOfForm = (
  { scopeLimit, allowedScopes = '' }: Record<string, string>,
  ofApis: readonly string[],
): string => (scopeLimit === 'SOME' ? allowedScopes : [...allScopes, ...ofApis].join('\n'))
