import { isScope, scopeTable } from '@/lib/policy/scopes'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Time } from '../ui/time'

export type ListedAuthorization = {
  id: string
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  app: { name: string; logoUrl: string | null; workspaceName: string | null; verified: boolean }
  workspaces: { id: string; name: string; note?: string }[]
  projects: { id: string; name: string; workspaceName: string; note?: string }[]
}

/** An authorized app: who it is, when it last acted. */
export function AppIdentity({ authorization }: { authorization: ListedAuthorization }) {
  const { app, createdAt, lastUsedAt } = authorization
  return (
    <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
      <Avatar name={app.name} src={app.logoUrl} shape="square" />
      <div className="grid min-w-0 gap-0.5">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          {app.name} {app.verified && <Badge tone="success">Verified</Badge>}
        </h3>
        <p className={app.workspaceName ? 'text-[13px] text-muted' : 'text-[13px] text-warning'}>
          {app.workspaceName
            ? `by ${app.workspaceName}${app.verified ? '' : ' · Not verified'}`
            : 'Registered itself, not verified'}
        </p>
        <p className="text-[13px] text-muted">
          Authorized <Time at={createdAt} /> · {lastUsedAt ? 'last used ' : 'never used'}
          {lastUsedAt && <Time at={lastUsedAt} />}
        </p>
      </div>
    </div>
  )
}

/** What an authorized app may do, and what it may touch. */
export function AppAccess({ authorization }: { authorization: ListedAuthorization }) {
  const { scopes, workspaces, projects } = authorization
  const permissions = scopes.filter(isScope).map((scope) => scopeTable[scope])
  const asksSelection = scopes.some((scope) => /^(workspace|project):/.test(scope))
  return (
    <dl className="grid gap-3 text-sm sm:grid-cols-2 sm:gap-6">
      <div>
        <dt className="text-[13px] text-muted">May</dt>
        <dd>
          <ul className="mt-1 grid gap-1">
            {permissions.map(({ sentence, dangerous }) => (
              <li key={sentence} className={dangerous ? 'text-danger' : undefined}>
                {sentence}
              </li>
            ))}
          </ul>
        </dd>
      </div>
      {asksSelection && (
        <div>
          <dt className="text-[13px] text-muted">Touches</dt>
          <dd>
            <ul className="mt-1 grid gap-1">
              {workspaces.map(({ id, name, note }) => (
                <li key={id}>
                  Workspace {name} {note && <Badge tone="warning">{note}</Badge>}
                </li>
              ))}
              {projects.map(({ id, name, workspaceName, note }) => (
                <li key={id}>
                  Project {name} <span className="text-muted">in {workspaceName}</span>{' '}
                  {note && <Badge tone="warning">{note}</Badge>}
                </li>
              ))}
              {workspaces.length + projects.length === 0 && <li>Nothing: it has no access to any.</li>}
            </ul>
          </dd>
        </div>
      )}
    </dl>
  )
}
