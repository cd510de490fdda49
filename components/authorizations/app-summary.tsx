'use client'
import { isScope, type Scope, scopeTable } from '@/lib/policy/scopes'
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
  /** The registered APIs that the app can access, each with the scopes that the app has for it. */
  apis?: {
    api: { id: string; name: string }
    scopes: { name: string; description: string; sensitivity: string }[]
  }[]
}

/**
 * Shows an authorized app, its publisher, whether it is verified, and the dates of the authorization and of
 * the last use.
 */
export function AppIdentity({
  authorization,
  let: began = 'Authorized',
}: {
  authorization: ListedAuthorization
  /** The text before the date of the authorization. */
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

/**
 * Returns the sentence for a scope that the user already granted. The sentences in the scope table are for
 * the consent page, on which the user has yet to choose workspaces and projects.
 */
export const grantedSentence = (scope: Scope): string =>
  scopeTable[scope].sentence.replace('you choose', 'you selected')

/**
 * Shows the permissions of an authorized app. If the app's scopes apply to workspaces or projects, or if the
 * app can access any, also lists the workspaces and projects that the app can access.
 */
export function AppAccess({ authorization }: { authorization: ListedAuthorization }) {
  const { scopes, apis = [] } = authorization
  const permissions = scopes
    .filter(isScope)
    .map((scope) => ({ ...scopeTable[scope], sentence: grantedSentence(scope) }))
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

/** The maximum number of entries that are always shown. Further entries are collapsed. */
const most = 6

/**
 * Lists the workspaces and projects that an app can access. Entries after the first few are collapsed,
 * because users can select up to a thousand workspaces and a thousand projects.
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
