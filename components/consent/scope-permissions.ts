import { type Scope, scopeTable } from '@/lib/policy/scopes'
import type { PermissionIcon } from './permission-icon'
import type { ConsentPermission } from './types'

const icons: Record<Scope, PermissionIcon> = {
  openid: 'identity',
  email: 'email',
  profile: 'profile',
  offline_access: 'offline',
  'workspace:admin': 'admin',
  'workspace:member': 'write',
  'workspace:viewer': 'workspace',
  'project:admin': 'admin',
  'project:member': 'write',
  'project:viewer': 'project',
  notifications: 'notifications',
  ssh_keys: 'keys',
}

const notes: Partial<Record<Scope, string>> = {
  offline_access: 'Stays until revoked',
  ssh_keys: 'Sensitive',
}

/** Scopes as the sentences of the consent page, in the order of the scope table. */
export function scopePermissions(scopes: readonly Scope[]): ConsentPermission[] {
  const asked = new Set(scopes)
  return (Object.keys(scopeTable) as Scope[])
    .filter((scope) => asked.has(scope))
    .map((scope) => ({
      text: scopeTable[scope].sentence,
      icon: icons[scope],
      danger: scopeTable[scope].dangerous,
      ...(notes[scope] ? { note: notes[scope] } : {}),
    }))
}
