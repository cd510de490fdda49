import type { PlainMessageKey, Say } from '@/lib/base/language/say'
import type { ShownApi } from '@/lib/edges/oauth/interaction/consent-view'
import { type Role, roleFromScopes, type Scope, scopeTable } from '@/lib/policy/scopes'
import { AppLogo } from '../ui/avatar'
import { type PermissionIcon, PermissionRow } from './permission-row'
import type { ConsentApp, ConsentPermission } from './types'

/**
 * Lists the permissions that the app requests as short sentences. The icon of a dangerous permission is red.
 * If the app requests a single role, a summary of this role is above the list.
 */
export function PermissionList({
  say,
  app,
  permissions,
}: {
  say: Say
  app: ConsentApp
  permissions: ConsentPermission[]
}) {
  const power = powerOf(permissions)
  return (
    <section aria-labelledby="permissions" className="grid gap-3">
      {power && (
        <p className="font-medium text-[15px] leading-[22px]">
          {say(`consent.sum.${power}`, { app: app.name })}
        </p>
      )}
      <h2 id="permissions" className="font-semibold text-[15px]">
        {say('consent.able', { app: app.name })}
      </h2>
      <ul className="grid gap-2">
        {permissions.map(({ scope, text, note, added, icon, danger }) => (
          <PermissionRow
            key={scope}
            icon={icon}
            danger={danger}
            pills={[
              ...(note ? [{ tone: 'danger', text: note } as const] : []),
              ...(added ? [{ tone: 'info', text: added } as const] : []),
            ]}
          >
            {text}
          </PermissionRow>
        ))}
      </ul>
    </section>
  )
}

/**
 * Returns the role that the app requests for workspaces, projects, or both. Returns undefined if the app
 * requests no role, or if the roles for workspaces and for projects differ.
 */
function powerOf(permissions: ConsentPermission[]): Role | undefined {
  const scopes = new Set<string>(permissions.map(({ scope }) => scope))
  const [workspace, project] = [roleFromScopes(scopes, 'workspace'), roleFromScopes(scopes, 'project')]
  return workspace && project && workspace !== project ? undefined : (workspace ?? project)
}

/**
 * Lists, for each registered API, the permissions that the app requests and the permissions that it loses.
 * The descriptions of the scopes come from the API's registration and are not translated.
 */
export function ApiPermissions({
  say,
  appName,
  apis,
}: {
  say: Say
  appName: string
  apis: readonly ShownApi[]
}) {
  return apis.map(({ id, name, host, logoUrl, permissions, lost }, index) => (
    <section key={id} aria-labelledby={`api-${index}`} className="grid gap-3">
      <div className="flex items-center gap-3">
        <AppLogo app={{ id, name, logoUrl }} />
        <div className="min-w-0">
          <h2 id={`api-${index}`} className="wrap-anywhere font-semibold text-[15px]">
            <bdi>{name}</bdi>
          </h2>
          <p dir="ltr" className="wrap-anywhere text-[13px] text-muted">
            {host}
          </p>
        </div>
      </div>
      <ul className="grid gap-2">
        {permissions.map(({ scope, text, sensitivity, added }) => {
          const danger = sensitivity === 'HIGH'
          return (
            <PermissionRow
              key={scope}
              icon={danger ? 'admin' : sensitivity === 'ELEVATED' ? 'write' : 'project'}
              danger={danger}
              pills={[
                ...(sensitivity === 'LOW'
                  ? []
                  : [{ tone: danger ? 'danger' : 'warning', text: say('scope.sensitive') } as const]),
                ...(added ? [{ tone: 'info', text: say('scope.added') } as const] : []),
              ]}
            >
              <bdi>{text}</bdi>
            </PermissionRow>
          )
        })}
      </ul>
      {lost.length > 0 && (
        <div className="grid gap-2 rounded-control border bg-background p-3.5 text-sm">
          <h3 className="font-medium">{say('earlier.loses', { app: appName })}</h3>
          <ul className="grid gap-1 text-muted">
            {lost.map((sentence) => (
              <li key={sentence}>
                <bdi>{sentence}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  ))
}

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

/** Notes for scopes whose sentence does not show that the scope is sensitive. */
const notes: Partial<Record<Scope, PlainMessageKey>> = {
  offline_access: 'scope.longLived',
  ssh_keys: 'scope.sensitive',
}

/** Returns the sentence for a scope in the user's language. */
export const scopeSentence = (say: Say, scope: Scope): string => say(`scope.${scope}`)

/**
 * Returns the permissions that the consent page shows for scopes, in the order of the scope table.
 * @param added scopes that the user did not authorize before
 */
export function scopePermissions(
  say: Say,
  scopes: readonly Scope[],
  added: readonly Scope[],
): ConsentPermission[] {
  const asked = new Set(scopes)
  // If all permissions are new, mark none of them, because the marks would not distinguish any permissions.
  const marked = added.length < asked.size ? added : []
  return (Object.keys(scopeTable) as Scope[])
    .filter((scope) => asked.has(scope))
    .map((scope) => ({
      scope,
      text: scopeSentence(say, scope),
      icon: icons[scope],
      danger: scopeTable[scope].dangerous,
      ...(notes[scope] ? { note: say(notes[scope]) } : {}),
      ...(marked.includes(scope) ? { added: say('scope.added') } : {}),
    }))
}
