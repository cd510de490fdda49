import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { getOperatedApp } from '@/lib/features/instance-admin/get-app'
import { profileFacts, RedirectUriList } from '../apps/app-facts'
import { ActionText } from '../audit/event-text'
import { actionText } from '../audit/event-words'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { Alert } from '../ui/alert'
import { AppLogo } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Copyable } from '../ui/copyable'
import { FactList } from '../ui/fact-list'
import { TextLink } from '../ui/link'
import { SchemePreview } from '../ui/scheme-preview'
import { Time } from '../ui/time'

type App = Awaited<ReturnType<typeof getOperatedApp>>

const origins = {
  SETTINGS: 'A workspace',
  DYNAMIC: 'Self-registered',
  METADATA_DOCUMENT: 'Its metadata document',
}

/**
 * Shows the details of an app: its figures, profile, redirect URIs, scopes, and, if the app belongs to a
 * workspace, the workspace's admins.
 */
export function OperatedAppFacts({ app }: { app: App }) {
  const { domain, workspace } = app
  const profile = [
    ...(app.logoUrl || app.logoDarkUrl ? [{ label: 'Logo', value: <Logos app={app} /> }] : []),
    ...profileFacts(app.profile),
  ]
  const workspaceLink = workspace && (
    <TextLink href={`/admin/workspaces/${workspace.id}`}>{workspace.name}</TextLink>
  )
  const facts = [
    { label: 'Source', value: workspaceLink ?? origins[app.source] },
    {
      label: 'Domain',
      value: domain ? `${domain.domain}, ${domain.verifiedAt ? 'verified' : 'not verified'}` : 'None',
    },
    { label: 'People', value: app.counts.authorizations.toLocaleString('en') },
    { label: 'Installations', value: app.counts.installations.toLocaleString('en') },
    { label: 'Last used', value: app.lastUsedAt ? <Time at={app.lastUsedAt} /> : 'Never' },
    {
      label: 'Requests in 30 days',
      value:
        app.errors > 0
          ? `${app.requests.toLocaleString('en')} successful, ${app.errors.toLocaleString('en')} failed`
          : app.requests.toLocaleString('en'),
    },
    { label: 'Created', value: <Time at={app.createdAt} /> },
    { label: 'Client ID', value: <Copyable value={app.id} of="client ID" mono />, wide: true },
  ]
  return (
    <>
      <Section title="About">
        <FactList facts={facts} />
      </Section>
      {profile.length > 0 && (
        <Section title="Profile" description="Information provided by the app. It isn’t verified.">
          <FactList facts={profile} />
        </Section>
      )}
      <Section title="Redirect URIs" description="Where users return after they sign in.">
        <RedirectUriList uris={app.redirectUris} />
      </Section>
      <Section
        title="Scopes"
        description="The scopes that users granted, and the number of users for each scope."
      >
        <p className="wrap-anywhere text-[13px] text-muted">
          Allowed scopes: {app.mayAsk.length > 0 ? app.mayAsk.join(', ') : 'no limit'}
          {app.installScopes.length > 0 && `. Installation scopes: ${app.installScopes.join(', ')}`}.
        </p>
        <ul className="flex flex-wrap gap-2">
          {app.scopes.map(({ scope, users }) => (
            <li key={scope}>
              <Badge>
                {scope} · {users.toLocaleString('en')}
              </Badge>
            </li>
          ))}
          {app.scopes.length === 0 && <li className="text-muted">No users have authorized it yet.</li>}
        </ul>
      </Section>
      {workspace && (
        <Section
          title="Owners"
          description={
            <>
              {app.moreAdmins ? `The first ${app.admins.length} admins` : 'The admins'} of {workspaceLink}.
            </>
          }
        >
          <ul className="grid gap-1">
            {app.admins.map(({ id, name, email, emailVerifiedAt }) => (
              <li key={id} className="wrap-anywhere">
                <TextLink href={`/admin/people/${id}`}>{name}</TextLink>{' '}
                <span className="text-[13px] text-muted">
                  {email}
                  {!emailVerifiedAt && ', not confirmed'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/**
 * Shows the logos for light and dark pages. If the app has only one logo, shows this logo twice. A
 * self-registered app's logo is on another host and is not loaded (ADR 0010). The app's initials are shown
 * instead.
 */
const Logos = ({ app: { id, name, logoUrl, logoDarkUrl } }: { app: App }) => (
  <span className="flex gap-2">
    <SchemePreview ground="light">
      <AppLogo app={{ id, name, logoUrl: logoUrl ?? logoDarkUrl }} />
    </SchemePreview>
    <SchemePreview ground="dark">
      <AppLogo app={{ id, name, logoUrl: logoDarkUrl ?? logoUrl }} />
    </SchemePreview>
  </span>
)

type AppOfAppAccess = { id: string; name: string; awaitingApproval: boolean; disabledAt: Date | null }

/**
 * A notice that a self-registered app waits for an instance admin's approval, with a button to approve the
 * app. Renders nothing if the app does not wait.
 */
export const WaitingApp = ({
  app,
  approve,
}: {
  app: AppOfAppAccess & { version: number }
  approve: FormAction
}) =>
  app.awaitingApproval && (
    <Alert
      tone="warning"
      title="This app needs your approval"
      action={
        <ActionButton
          action={approve}
          fields={{ id: app.id, version: String(app.version) }}
          look={{ variant: 'primary', size: 'small' }}
          done="App approved"
        >
          Approve app
        </ActionButton>
      }
    >
      Users can’t authorize the app until you approve it. To reject the app, disable it below.
    </Alert>
  )

/**
 * A section with a button that disables an app for all users. If the app is disabled, the button enables it
 * again.
 */
export function AppAccess({
  app,
  disable,
  enable,
}: {
  app: AppOfAppAccess
  disable: FormAction
  enable: FormAction
}) {
  return (
    <Section
      danger
      title="Access"
      description="Users can’t sign in with a disabled app, and its tokens stop working immediately. Users’ authorizations are kept."
    >
      <div>
        {app.disabledAt ? (
          <ActionButton action={enable} fields={{ id: app.id }} done="App enabled">
            Enable app
          </ActionButton>
        ) : (
          <ConfirmAction
            trigger="Disable app…"
            title={`Disable ${app.name}?`}
            confirmLabel="Disable app"
            done="App disabled"
            action={disable}
            fields={{ id: app.id }}
          >
            <p>Users won’t be able to sign in with it, and its tokens will stop working immediately.</p>
          </ConfirmAction>
        )}
      </div>
    </Section>
  )
}

type Event = { id: string; action: string; user: string | null; details: unknown; createdAt: Date }

const wordIn = (details: unknown): string | undefined => {
  const { word } = (details ?? {}) as { word?: unknown }
  return typeof word === 'string' ? word : undefined
}

/**
 * Lists the latest decisions about an app and the latest changes to the app, each with the user, the date,
 * and the message, if any.
 */
export function AppHistory({ app, events }: { app: string; events: Event[] }) {
  return (
    <Section title="History" description="Decisions and related changes." flush>
      {events.length === 0 && <p className="px-4 py-4 text-muted">No activity yet.</p>}
      <ul aria-label="History">
        {events.map(({ id, action, user, details, createdAt }) => (
          <li key={id} className="grid gap-0.5 border-b px-4 py-2.5 last:border-b-0">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span title={action} className="wrap-anywhere min-w-0 flex-1 basis-40">
                <bdi className="font-medium">{user ?? 'The system'}</bdi>{' '}
                <ActionText words={actionText(action)}>
                  <bdi>{app}</bdi>
                </ActionText>
              </span>
              <span className="text-[13px] text-muted">
                <Time at={createdAt} />
              </span>
            </span>
            {wordIn(details) && (
              <span className="wrap-anywhere text-[13px] text-muted">{wordIn(details)}</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
