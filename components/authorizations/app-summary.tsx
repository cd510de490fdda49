import type { LastAction } from '@/lib/features/audit/list-last-actions'
import { isScope, scopeTable } from '@/lib/policy/scopes'
import { ActionText, EventSubject } from '../audit/event-log'
import { actionText } from '../audit/event-words'
import { AppLogo, type LogoOwner } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Time } from '../ui/time'

export type ListedAuthorization = {
  id: string
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  app: LogoOwner & { id: string; workspaceName: string | null; verified: boolean }
  workspaces: { id: string; name: string; note?: string }[]
  projects: { id: string; name: string; workspaceName: string; note?: string }[]
  /** The registered APIs that the app can access, with its scopes for each. */
  apis?: {
    api: { id: string; name: string }
    scopes: { name: string; description: string; sensitivity: string }[]
  }[]
}

/** Shows an authorized app and its last activity. */
export function AppIdentity({
  authorization,
  let: began = 'Authorized',
}: {
  authorization: ListedAuthorization
  /** The label of the creation date. */
  let?: string
}) {
  const { app, createdAt, lastUsedAt } = authorization
  return (
    <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
      <AppLogo app={app} />
      <div className="grid min-w-0 gap-0.5">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          {app.name} {app.verified && <Badge tone="success">Verified</Badge>}
        </h3>
        <p className={app.workspaceName ? 'text-[13px] text-muted' : 'text-[13px] text-warning'}>
          {app.workspaceName
            ? `by ${app.workspaceName}${app.verified ? '' : ' · Not verified'}`
            : 'Self-registered, not verified'}
        </p>
        <p className="text-[13px] text-muted">
          {began} <Time at={createdAt} /> · {lastUsedAt ? 'last used ' : 'never used'}
          {lastUsedAt && <Time at={lastUsedAt} />}
        </p>
      </div>
    </div>
  )
}

/** Shows the scopes and the selection of an authorized app. */
export function AppAccess({ authorization }: { authorization: ListedAuthorization }) {
  const { scopes, apis = [] } = authorization
  const permissions = scopes.filter(isScope).map((scope) => scopeTable[scope])
  const asksSelection =
    scopes.some((scope) => /^(workspace|project):/.test(scope)) ||
    authorization.workspaces.length + authorization.projects.length > 0
  return (
    <dl className="grid gap-3 text-sm sm:grid-cols-2 sm:gap-6">
      <div>
        <dt className="text-[13px] text-muted">Access</dt>
        <dd>
          <ul className="mt-1 grid gap-1">
            {permissions.map(({ sentence, dangerous }) => (
              <li key={sentence} className={dangerous ? 'text-danger' : undefined}>
                {sentence}
              </li>
            ))}
          </ul>
        </dd>
        {apis.map(({ api, scopes: granted }) => (
          <dd key={api.id} className="mt-3">
            <p className="wrap-anywhere text-[13px] text-muted">{api.name}</p>
            <ul className="mt-1 grid gap-1">
              {granted.map(({ name, description, sensitivity }) => (
                <li key={name} className={sensitivity === 'HIGH' ? 'text-danger' : undefined}>
                  {description}
                </li>
              ))}
            </ul>
          </dd>
        ))}
      </div>
      {asksSelection && (
        <div>
          <dt className="text-[13px] text-muted">Resources</dt>
          <dd>
            <PlacesOf authorization={authorization} />
          </dd>
        </div>
      )}
    </dl>
  )
}

/** The number of names that are always shown. The others can be expanded. */
const most = 6

/**
 * Lists the workspaces and projects that an app can access. Only the first few are shown, because there can be as many as two
 * hundred.
 */
function PlacesOf({ authorization }: { authorization: ListedAuthorization }) {
  const { workspaces, projects } = authorization
  const places = [
    ...workspaces.map((each) => ({ ...each, kind: 'Workspace', within: undefined })),
    ...projects.map((each) => ({ ...each, kind: 'Project', within: each.workspaceName })),
  ]
  if (places.length === 0) return <p className="mt-1">No workspaces or projects</p>
  const [named, rest] = [places.slice(0, most), places.slice(most)]
  const list = (some: typeof places) => (
    <ul className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-1">
      {some.map(({ id, kind, name, within, note }) => (
        <li key={id} className="wrap-anywhere">
          {kind} {name} {within && <span className="text-muted">in {within}</span>}{' '}
          {note && <Badge tone="warning">{note}</Badge>}
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {list(named)}
      {rest.length > 0 && (
        <details className="mt-1">
          <summary className="w-fit cursor-pointer rounded-[3px] text-link">
            {rest.length.toLocaleString('en')} more
          </summary>
          {list(rest)}
        </details>
      )}
    </>
  )
}

/** Lists the latest actions of an app for the user, newest first. Renders nothing if there are none. */
export function LastActions({ actions }: { actions: readonly LastAction[] }) {
  if (actions.length === 0) return null
  return (
    <div className="grid gap-1 text-sm">
      <h4 className="text-[13px] text-muted">Recent activity</h4>
      <ul aria-label="Recent activity" className="grid gap-1">
        {actions.map((action) => (
          <li key={action.id} className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <ActionText words={actionText(action.action)} capital>
                <EventSubject id={action.resourceId} name={action.subject} project={action.project} />
              </ActionText>{' '}
              <Means details={action.details} reading={action.resourceType === 'tool'} />
            </span>
            <Time at={action.createdAt} className="text-muted" />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shows the tool with which an agent made a change, or the error code of a failed request. */
function Means({ details, reading }: { details: unknown; reading: boolean }) {
  const { tool, refused } = (details ?? {}) as { tool?: { name: string }; refused?: string }
  const means = reading ? refused : tool && `by ${tool.name}`
  return means ? <span className="font-mono text-[13px] text-muted">{means}</span> : null
}
