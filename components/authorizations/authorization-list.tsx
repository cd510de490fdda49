import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { LastAction } from '@/lib/features/audit/list-last-actions'
import type { AppThroughCompany } from '@/lib/features/company-access/managed-people'
import { needsSelection } from '@/lib/policy/scopes'
import { ConfirmAction } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { AppAccess, AppIdentity, LastActions, type ListedAuthorization } from './app-summary'

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

/** Takes back what a person allowed an app. */
export function RevokeApp({ id, name, revoke }: { id: string; name: string; revoke: FormAction }) {
  return (
    <ConfirmAction
      trigger="Revoke"
      triggerLook={{ size: 'small' }}
      triggerLabel={`Revoke ${name}`}
      title={`Revoke ${name}?`}
      confirmLabel="Revoke access"
      done="Access revoked"
      action={revoke}
      fields={{ id }}
    >
      <p>{name} loses access right away. It has to ask again to get back in.</p>
    </ConfirmAction>
  )
}

/** The apps that act for a person because their company says so: what each may do, whose word it is, and who ends it. Nothing where there is none. */
export function AppsThroughCompanies({
  apps,
  actions,
}: {
  apps: readonly AppThroughCompany[]
  /** What each did last. */
  actions: readonly LastAction[]
}) {
  if (apps.length === 0) return null
  return (
    <Section
      title="Through your company"
      description="You weren’t asked about these. The company behind a workspace lets them act for you there, never with more than your own role."
      flush
    >
      <ul aria-label="Apps through your company">
        {apps.map(({ id, app, workspace, scopes, since, lastUsedAt }) => {
          const shown = {
            id,
            app,
            scopes,
            createdAt: since,
            lastUsedAt,
            workspaces: [workspace],
            projects: [],
          }
          return (
            <li key={id} className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b p-4 last:border-b-0">
              <div className="flex flex-wrap items-start gap-3">
                <AppIdentity authorization={shown} let="Let in" />
                <Badge className="wrap-anywhere h-auto min-h-[22px] min-w-0 shrink whitespace-normal">
                  Managed by {workspace.name}
                </Badge>
              </div>
              <AppAccess authorization={shown} />
              <p className="wrap-anywhere text-[13px] text-muted">
                Admins of {workspace.name} let it in and take it out; you cannot. It loses access when you
                leave the workspace.
              </p>
              <LastActions actions={actions.filter(({ actorId }) => actorId === app.id)} />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
