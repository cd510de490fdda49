import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { LastAction } from '@/lib/features/audit/list-last-actions'
import { needsSelection } from '@/lib/policy/scopes'
import { ButtonLink } from '../ui/button-link'
import { AppAccess, AppIdentity, type ListedAuthorization } from './app-summary'
import { LastActions } from './last-actions'
import { RevokeApp } from './revoke-app'

const asksForSelection = (scopes: string[]) =>
  needsSelection(scopes, 'workspace') || needsSelection(scopes, 'project')

/** What a person let apps do, each to be changed or revoked. */
export function AuthorizationList({
  authorizations,
  actions,
  revoke,
}: {
  authorizations: ListedAuthorization[]
  /** What each did last. */
  actions: readonly LastAction[]
  revoke: FormAction
}) {
  return (
    <ul aria-label="Authorized apps">
      {authorizations.map((authorization) => (
        <li
          key={authorization.id}
          className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b p-4 last:border-b-0"
        >
          <div className="flex flex-wrap items-start gap-3">
            <AppIdentity authorization={authorization} />
            {asksForSelection(authorization.scopes) && (
              <ButtonLink href={`/account/apps/${authorization.id}`} size="small">
                Change access <span className="sr-only">of {authorization.app.name}</span>
              </ButtonLink>
            )}
            <RevokeApp id={authorization.id} name={authorization.app.name} revoke={revoke} />
          </div>
          <AppAccess authorization={authorization} />
          <LastActions actions={actions.filter(({ actorId }) => actorId === authorization.app.id)} />
        </li>
      ))}
    </ul>
  )
}
