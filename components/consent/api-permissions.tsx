import type { Say } from '@/lib/base/language/say'
import type { ShownApi } from '@/lib/edges/oauth/interaction/consent-view'
import { AppLogo } from '../ui/avatar'
import { PermissionRow } from './permission-row'

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
