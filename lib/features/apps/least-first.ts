import { allScopes, type Scope } from '@/lib/policy/scopes'

/** The scopes that can be chosen for an app: `openid` is no choice, every app has it. What reaches least comes first. */
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

/** What the fields of the form say: everything, or what is ticked. */
export const allowedScopesOfForm = ({ scopeLimit, allowedScopes = '' }: Record<string, string>) =>
  scopeLimit === 'SOME' ? allowedScopes : allScopes.join('\n')
