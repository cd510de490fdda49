import { ShieldCheck } from 'lucide-react'
import Link from 'next/link'
import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import { higher, lowerRole, type Role, roleFromScopes } from '@/lib/policy/scopes'
import { ListSearch } from '../lists/list-search'
import { AppLogo } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { LastUsed } from '../ui/expiry'
import { counted } from '../ui/formats'
import { Cell, Head, Row, Table } from '../ui/table'
import { userNames } from './policy-review'

const closed = {
  blocked: { text: 'Blocked', tone: 'danger' },
  'own-apps-only': { text: 'Not allowed', tone: 'warning' },
  'not-approved': { text: 'Not approved', tone: 'warning' },
  ended: { text: 'Approval ended', tone: 'warning' },
} as const

const may = { VIEWER: 'Read', MEMBER: 'Read and write', ADMIN: 'Administer' }

/** Returns the row of an installed app. */
export function listedInstalled(app: InstalledApp): ListedInstalled {
  const role = roleHere(app)
  const { admission } = app
  // No user authorized the app, so uninstalling it removes it from the workspace.
  const alone = app.users === 0 && app.managed === null ? app.installation : null
  return {
    id: app.id,
    name: app.name,
    logoUrl: app.logoUrl,
    logoDarkUrl: app.logoDarkUrl,
    runBy: app.runBy ? `by ${app.runBy.name}` : 'Self-registered, not verified',
    verified: app.verified,
    users: app.users,
    names: app.names,
    may: role ? may[role] : 'Nothing here',
    on: placesOf(app),
    lastUsedAt: app.lastUsedAt,
    requests: app.requests,
    installed: app.installation !== null,
    managed: app.managed !== null,
    state: app.disabled
      ? { text: 'Disabled', tone: 'danger' }
      : admission.kind === 'closed'
        ? closed[admission.reason]
        : alone?.suspendedAt
          ? { text: 'Suspended', tone: 'warning' }
          : admission.kind === 'within'
            ? { text: 'Approved', tone: 'success' }
            : { text: alone ? 'Installed' : 'Allowed', tone: 'neutral' },
  }
}

/** Returns the highest role that the app has in the workspace, either for its users or through its installation. */
function roleHere({ scopes, managed, installation, admission }: InstalledApp): Role | undefined {
  const forUsers = most([...scopes, ...(managed?.scopes ?? [])])
  const approved = admission.kind === 'within' ? lowerRole(forUsers, admission.projectRole) : forUsers
  return higher(approved, most(installation?.scopes ?? []))
}

const most = (scopes: string[]) => {
  const all = new Set(scopes)
  return higher(roleFromScopes(all, 'workspace'), roleFromScopes(all, 'project'))
}

function placesOf({ whole, managed, installation, projects, admission }: InstalledApp): string {
  const approved = admission.kind === 'within' ? admission.projectIds : null
  if (installation && !installation.projectIds) return 'The workspace'
  if ((whole || managed) && !approved) return 'The workspace'
  const count = whole || managed ? (approved?.length ?? 0) : projects
  return count === 0 ? '' : count === 1 ? '1 project' : `${count} projects`
}

/** Lists installed apps. A long list has a search field. */
export function InstalledSection({
  apps,
  path,
  search,
  searchable,
}: {
  apps: ListedInstalled[]
  path: string
  search: string
  searchable: boolean
}) {
  return (
    <div>
      {searchable && (
        <div className="mb-4 flex">
          <ListSearch path={path} label="Search apps and requests" value={search} />
        </div>
      )}
      <Section
        title="Installed apps"
        description="Apps that members use, and apps that admins approved or blocked."
        flush
      >
        {apps.length === 0 ? (
          <EmptyState icon={ShieldCheck} title={search ? 'No matching apps' : 'No apps yet'}>
            Apps appear here after a member authorizes them.
          </EmptyState>
        ) : (
          <InstalledTable apps={apps} path={path} />
        )}
      </Section>
    </div>
  )
}

export type ListedInstalled = {
  id: string
  name: string
  logoUrl: string | null
  logoDarkUrl: string | null
  runBy: string
  verified: boolean
  users: number
  /** Whether the app is installed and acts without a user. */
  installed: boolean
  /** Whether the app is SSO-managed. */
  managed: boolean
  names: string[]
  /** A summary of the permissions and the selection. */
  may: string
  on: string
  lastUsedAt: Date | null
  /** Requests in the last 30 days. */
  requests: number
  state: { text: string; tone: 'neutral' | 'success' | 'warning' | 'danger' }
}

/** Lists the apps that a user authorized or about which an admin made a decision. */
function InstalledTable({ apps, path }: { apps: ListedInstalled[]; path: string }) {
  return (
    <Table
      caption="Installed apps"
      head={
        <>
          <Head>App</Head>
          <Head>State</Head>
          <Head>Access</Head>
          <Head>Allowed by</Head>
          <Head>Last used</Head>
        </>
      }
    >
      {apps.map((app) => (
        <Row key={app.id}>
          <Cell>
            <div className="flex min-w-44 items-center gap-3">
              <AppLogo app={app} />
              <div className="grid min-w-0">
                <span className="flex flex-wrap items-center gap-1.5 font-medium">
                  <Link
                    href={`${path}/${encodeURIComponent(app.id)}`}
                    className="wrap-anywhere hover:underline"
                  >
                    {app.name}
                  </Link>
                  {app.verified && <Badge tone="success">Verified</Badge>}
                  {app.installed && <Badge>Installed</Badge>}
                  {app.managed && <Badge>SSO</Badge>}
                </span>
                <span className="wrap-anywhere text-[13px] text-muted">{app.runBy}</span>
              </div>
            </div>
          </Cell>
          <Cell>
            <Badge tone={app.state.tone}>{app.state.text}</Badge>
          </Cell>
          <Cell>
            <span className="grid sm:min-w-28">
              <span>{app.may}</span>
              <span className="text-[13px] text-muted">{app.on}</span>
            </span>
          </Cell>
          <Cell className="wrap-anywhere">
            {app.users > 0
              ? userNames(app.names, app.users)
              : app.installed || app.managed
                ? 'An admin'
                : 'No one'}
          </Cell>
          <Cell muted className="whitespace-nowrap">
            <span className="grid">
              <LastUsed at={app.lastUsedAt} />
              {app.requests > 0 && (
                <span className="text-[13px] tabular-nums">
                  {counted(app.requests, 'request', 'requests')} in 30 days
                </span>
              )}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
