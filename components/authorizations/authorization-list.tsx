import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { LastAction } from '@/lib/features/audit/list-last-actions'
import type { SsoManagedApp } from '@/lib/features/sso/managed-users'
import { needsSelection } from '@/lib/policy/scopes'
import { ConfirmAction } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { ButtonLink } from '../ui/link'
import { AppAccess, AppIdentity, type ListedAuthorization } from './app-summary'
import { LastActions } from './last-actions'

/**
 * Returns the fields of an authorization that pages show. Other fields, such as an API's event URL, must not
 * reach the browser.
 */
export const shownAuthorization = ({
  id,
  scopes,
  createdAt,
  lastUsedAt,
  app,
  workspaces,
  projects,
  apis = [],
}: ListedAuthorization): ListedAuthorization => ({
  id,
  scopes,
  createdAt,
  lastUsedAt,
  app: {
    id: app.id,
    name: app.name,
    logoUrl: app.logoUrl,
    logoDarkUrl: app.logoDarkUrl,
    workspaceName: app.workspaceName,
    verified: app.verified,
  },
  workspaces: workspaces.map(({ id, name, note }) => ({ id, name, ...(note && { note }) })),
  projects: projects.map(({ id, name, workspaceName, note }) => ({
    id,
    name,
    workspaceName,
    ...(note && { note }),
  })),
  apis: apis.map(({ api, scopes: granted }) => ({
    api: { id: api.id, name: api.name },
    scopes: granted.map(({ name, description, sensitivity }) => ({ name, description, sensitivity })),
  })),
})

const asksForSelection = (scopes: string[]) =>
  needsSelection(scopes, 'workspace') || needsSelection(scopes, 'project')

/**
 * Lists the user's authorized apps, each with its permissions, its recent actions, and a button to revoke its
 * access. If an app's scopes require a selection of workspaces or projects, there is also a link to change
 * the selection.
 */
export function AuthorizationList({
  authorizations,
  actions,
  revoke,
}: {
  authorizations: ListedAuthorization[]
  /** The latest actions of all apps in the list. */
  actions: readonly LastAction[]
  revoke: FormAction
}) {
  return (
    <ul aria-label="Authorized apps" className="authorization-rows">
      {authorizations.map(shownAuthorization).map((authorization) => (
        <li key={authorization.id}>
          <div>
            <AppIdentity authorization={authorization} />
            {asksForSelection(authorization.scopes) && (
              <ButtonLink href={`/account/apps/${authorization.id}`} size="small">
                Change access <span className="sr-only">of {authorization.app.name}</span>
              </ButtonLink>
            )}
            <RevokeApp
              id={authorization.id}
              name={authorization.app.name}
              revoke={revoke}
              page={`/account/apps/${authorization.id}`}
            />
          </div>
          <AppAccess authorization={authorization} />
          <LastActions actions={actions.filter(({ actorId }) => actorId === authorization.app.id)} />
        </li>
      ))}
    </ul>
  )
}

/**
 * A button that revokes a user's authorization of an app after a confirmation.
 * @param page the path of the app's page, if the button is in a list (see `ConfirmDialog`)
 */
export function RevokeApp({
  id,
  name,
  revoke,
  page,
}: {
  id: string
  name: string
  revoke: FormAction
  page?: string
}) {
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
      {...(page ? { page } : {})}
    >
      <p>{name} loses access immediately and must request access again.</p>
    </ConfirmAction>
  )
}

/**
 * Lists the SSO-managed apps that act for the user, each with its permissions, its workspace, and its recent
 * actions. Renders nothing if there are no such apps.
 */
export function SsoManagedApps({
  apps,
  actions,
}: {
  apps: readonly SsoManagedApp[]
  /** The latest actions of all apps in the list. */
  actions: readonly LastAction[]
}) {
  if (apps.length === 0) return null
  return (
    <Section
      title="SSO-managed apps"
      description="Workspace admins let these apps act for you through single sign-on. The apps never get more access than your own role allows."
      flush
    >
      <ul aria-label="SSO-managed apps" className="authorization-rows">
        {apps.map(({ id, app, workspace, scopes, since, lastUsedAt }) => {
          const shown = shownAuthorization({
            id,
            app,
            scopes,
            createdAt: since,
            lastUsedAt,
            workspaces: [workspace],
            projects: [],
          })
          return (
            <li key={id}>
              <div>
                <AppIdentity authorization={shown} let="Allowed" />
                <Badge className="wrap-anywhere h-auto min-h-[22px] min-w-0 shrink whitespace-normal">
                  Managed by {workspace.name}
                </Badge>
              </div>
              <AppAccess authorization={shown} />
              <p className="wrap-anywhere text-[13px] text-muted">
                Only admins of {workspace.name} can remove this app. The app loses access when you leave the
                workspace.
              </p>
              <LastActions actions={actions.filter(({ actorId }) => actorId === app.id)} />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
