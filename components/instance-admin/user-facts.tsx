import type { ReactNode } from 'react'
import { describeDevice } from '@/lib/base/http/visitor'
import { isLanguage, languages } from '@/lib/base/language/languages'
import type { getUser } from '@/lib/features/instance-admin/lists'
import type { Role } from '@/lib/policy/scopes'
import { AppLogo, type LogoOwner } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Copyable } from '../ui/copyable'
import { FactList } from '../ui/fact-list'
import { Link } from '../ui/link'
import { Time } from '../ui/time'

/** Shows badges for a suspended user, an instance admin, and an email address that is not confirmed. */
export function UserBadges({
  user,
}: {
  user: { suspendedAt: Date | null; instanceAdmin: boolean; emailVerifiedAt: Date | null }
}) {
  return (
    <>
      {user.suspendedAt && <Badge tone="danger">Suspended</Badge>}
      {user.instanceAdmin && <Badge tone="accent">Instance admin</Badge>}
      {!user.emailVerifiedAt && <Badge tone="warning">Email not confirmed</Badge>}
    </>
  )
}

type User = Awaited<ReturnType<typeof getUser>>

const ways: Record<string, string> = { github: 'GitHub', google: 'Google', oidc: 'Single sign-on' }
const kinds = { ACCOUNT: 'Account', WORKSPACE: 'Workspace', PROJECT: 'Project' }

/** Returns whether a user has set up a sign-in method, as text. */
const stateOf = (method: boolean): string => (method ? 'Set' : 'Not set')

/** Shows the details of a user's account, such as the sign-in methods and the number of active sessions. */
export function UserFacts({ user }: { user: User }) {
  const { counts, language } = user
  return (
    <Section title="Account">
      <FactList
        facts={[
          { label: 'Signed up', value: <Time at={user.createdAt} /> },
          { label: 'Password', value: stateOf(user.password) },
          {
            label: 'Connected accounts',
            value: user.identities.map(({ provider }) => ways[provider] ?? provider).join(', ') || 'None',
          },
          { label: 'Passkeys', value: counts.passkeys || stateOf(false) },
          { label: 'Authenticator app', value: stateOf(user.totp) },
          { label: 'Active sessions', value: counts.sessions },
          { label: 'API tokens', value: counts.apiTokens },
          { label: 'Authorized apps', value: counts.authorizations },
          { label: 'Language', value: isLanguage(language) ? languages[language] : 'Unknown' },
          { label: 'ID', value: <Copyable value={user.id} of="user ID" mono />, wide: true },
        ]}
      />
    </Section>
  )
}

/**
 * Lists a user's latest active sessions and latest API tokens. If the user has more, also shows the total
 * number.
 */
export function UserAccess({ user: { sessions, apiTokens, counts } }: { user: User }) {
  return (
    <>
      <Section title="Sessions" description={more(sessions.length, counts.sessions)} flush>
        {sessions.length === 0 && <p className="px-4 py-4 text-muted">No sessions.</p>}
        <ul aria-label="Sessions">
          {sessions.map(({ id, userAgent, methods, createdAt, lastUsedAt }) => (
            <Line key={id} name={describeDevice(userAgent)} mark={methods.includes('mfa') && 'Two-factor'}>
              Signed in <Time at={createdAt} /> · last used <Time at={lastUsedAt} />
            </Line>
          ))}
        </ul>
      </Section>
      <Section title="API tokens" description={more(apiTokens.length, counts.apiTokens)} flush>
        {apiTokens.length === 0 && <p className="px-4 py-4 text-muted">No tokens.</p>}
        <ul aria-label="API tokens">
          {apiTokens.map(({ id, name, kind, createdAt, lastUsedAt }) => (
            <Line key={id} name={name} mark={kinds[kind]}>
              {lastUsedAt ? 'Used' : 'Created'} <Time at={lastUsedAt ?? createdAt} />
            </Line>
          ))}
        </ul>
      </Section>
    </>
  )
}

const more = (shown: number, all: number) =>
  all > shown ? `The latest ${shown} of ${all.toLocaleString('en')}.` : undefined

function Line({ name, mark, children }: { name: string; mark: string | false; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 border-b px-4 py-2.5 last:border-b-0">
      <span className="wrap-anywhere flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-1.5 font-medium">
        {name} {mark && <Badge>{mark}</Badge>}
      </span>
      <span className="text-[13px] text-muted">{children}</span>
    </li>
  )
}

type AuthorizedApp = {
  id: string
  createdAt: Date
  lastUsedAt: Date | null
  client: LogoOwner & { id: string; disabledAt: Date | null }
}

/** Lists a user's authorized apps, each with a link to the app's page. */
export function UserApps({ apps }: { apps: AuthorizedApp[] }) {
  return (
    <Section title="Authorized apps" flush>
      {apps.length === 0 && <p className="px-4 py-4 text-muted">No authorized apps.</p>}
      <ul aria-label="Authorized apps">
        {apps.map(({ id, createdAt, lastUsedAt, client }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 border-b px-4 py-2.5 last:border-b-0">
            <AppLogo app={client} size="small" />
            <span className="flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-1.5">
              <Link
                href={`/admin/apps/${encodeURIComponent(client.id)}`}
                className="font-medium hover:underline"
              >
                {client.name}
              </Link>
              {client.disabledAt && <Badge tone="danger">Disabled</Badge>}
            </span>
            <span className="text-[13px] text-muted">
              {lastUsedAt ? 'Used' : 'Authorized'} <Time at={lastUsedAt ?? createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Membership = { id: string; name: string; role: Role }

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/** Lists a user's workspaces, each with the user's role and a link to the workspace's page. */
export function UserWorkspaces({ workspaces }: { workspaces: Membership[] }) {
  return (
    <Section title="Workspaces" flush>
      {workspaces.length === 0 && <p className="px-4 py-4 text-muted">No workspaces.</p>}
      <ul aria-label="Workspaces">
        {workspaces.map(({ id, name, role }) => (
          <li
            key={id}
            className="flex items-baseline justify-between gap-3 border-b px-4 py-2.5 last:border-b-0"
          >
            <Link
              href={`/admin/workspaces/${id}`}
              className="wrap-anywhere min-w-0 font-medium hover:underline"
            >
              {name}
            </Link>
            <span className="shrink-0 text-[13px] text-muted">{roleNames[role]}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
