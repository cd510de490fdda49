import { allScopes, type Scope } from '@/lib/policy/scopes'

/** The selectable scopes of an app, least access first. `openid` is not selectable, because every app has it. */
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

/** Returns the scopes of a form: all, including those of APIs, or the selected ones. */
export const allowedScopesOfForm = (
  { scopeLimit, allowedScopes = '' }: Record<string, string>,
  ofApis: readonly string[],
): string => (scopeLimit === 'SOME' ? allowedScopes : [...allScopes, ...ofApis].join('\n'))
