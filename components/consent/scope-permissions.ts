import type { PlainMessageKey, Say } from '@/lib/base/language/say'
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

/** A word beside the ones that reach far. */
const notes: Partial<Record<Scope, PlainMessageKey>> = {
  'workspace:admin': 'scope.full',
  'project:admin': 'scope.full',
  offline_access: 'scope.longLived',
  ssh_keys: 'scope.sensitive',
}

/** What a scope allows, in a sentence of the language. */
export const scopeSentence = (say: Say, scope: Scope): string => say(`scope.${scope}`)

/**
 * Scopes as the sentences of the consent page, in the order of the scope table.
 * @param added those that are more than the person allowed the app before
 */
export function scopePermissions(
  say: Say,
  scopes: readonly Scope[],
  added: readonly Scope[],
): ConsentPermission[] {
  const asked = new Set(scopes)
  return (Object.keys(scopeTable) as Scope[])
    .filter((scope) => asked.has(scope))
    .map((scope) => ({
      text: scopeSentence(say, scope),
      icon: icons[scope],
      danger: scopeTable[scope].dangerous,
      ...(notes[scope] ? { note: say(notes[scope]) } : {}),
      ...(added.includes(scope) ? { added: say('scope.added') } : {}),
    }))
}
