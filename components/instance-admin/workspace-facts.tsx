import type { getWorkspace } from '@/lib/features/instance-admin/workspaces'
import type { Role } from '@/lib/policy/scopes'
import { policies } from '../app-access/policy-review'
import { EventLog, type ListedEvent } from '../audit/event-log'
import { AppLogo, Avatar, type LogoOwner } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Copyable } from '../ui/copyable'
import { FactList } from '../ui/fact-list'
import { Link, TextLink } from '../ui/link'
import { Pagination } from '../ui/pagination'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

/** Shows the details of a workspace, such as its access rules and the number of projects. */
export function WorkspaceFacts({ workspace }: { workspace: Awaited<ReturnType<typeof getWorkspace>> }) {
  const { counts, identityProvider: provider } = workspace
  return (
    <Section title="Workspace">
      <FactList
        facts={[
          { label: 'Created', value: <Time at={workspace.createdAt} /> },
          { label: 'Members', value: counts.members },
          { label: 'Open invitations', value: counts.invitations },
          { label: 'Projects', value: counts.projects },
          { label: 'OAuth apps', value: counts.clients },
          { label: 'Allowed apps', value: policies[workspace.appPolicy].label },
          { label: 'Installations', value: counts.installations },
          { label: 'API tokens', value: counts.apiTokens },
          { label: 'Webhooks', value: counts.webhooks },
          { label: 'Two-factor', value: workspace.requireTwoFactor ? 'Required' : 'Not required' },
          {
            label: 'Identity provider',
            value: provider
              ? `${provider.issuer}, for ${provider.domain}${provider.verifiedAt ? '' : ' (not verified)'}`
              : 'None',
          },
          { label: 'Personal workspace', value: workspace.personalOwner?.name ?? 'No' },
          {
            label: 'ID',
            value: <span className="font-mono text-[13px]">{workspace.id}</span>,
            wide: true,
          },
        ]}
      />
    </Section>
  )
}

type App = LogoOwner & {
  id: string
  verifiedAt: Date | null
  disabledAt: Date | null
  createdAt: Date
}

/**
 * Lists the newest apps of a workspace, with links to their pages. If the workspace has more apps, also shows
 * `total`.
 */
export function WorkspaceApps({ apps, total }: { apps: App[]; total: number }) {
  const more = total > apps.length
  return (
    <Section
      title="OAuth apps"
      description={more ? `The newest ${apps.length} of ${total}.` : undefined}
      flush
    >
      {apps.length === 0 && <p className="px-4 py-4 text-muted">No OAuth apps.</p>}
      <ul aria-label="OAuth apps">
        {apps.map((app) => (
          <li key={app.id} className="flex flex-wrap items-center gap-3 border-b px-4 py-3 last:border-b-0">
            <AppLogo app={app} />
            <span className="grid min-w-0 flex-1 basis-44">
              <span className="flex flex-wrap items-center gap-1.5">
                <Link
                  href={`/admin/apps/${encodeURIComponent(app.id)}`}
                  className="font-medium hover:underline"
                >
                  {app.name}
                </Link>
                {app.disabledAt && <Badge tone="danger">Disabled</Badge>}
                {app.verifiedAt && <Badge tone="success">Verified</Badge>}
              </span>
              <Copyable value={app.id} of={`client ID of ${app.name}`} mono className="text-muted" />
            </span>
            <span className="shrink-0 text-[13px] text-muted">
              Created <Time at={app.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export type OperatedMember = {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  suspendedAt: Date | null
  role: Role
  joinedAt: Date
}

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/** Lists one page of a workspace's members, with links to the users and to the previous and next page. */
export function WorkspaceMembers({
  members,
  pages,
}: {
  members: OperatedMember[]
  pages: { previous: string | undefined; next: string | undefined }
}) {
  return (
    <Section
      title="Members"
      flush
      footer={(pages.previous || pages.next) && <Pagination {...pages} label="Pages of members" />}
    >
      {members.length === 0 && <p className="px-4 py-4 text-muted">No members.</p>}
      {members.length > 0 && (
        <Table
          caption="Members"
          head={
            <>
              <Head>User</Head>
              <Head>Role</Head>
              <Head numeric>Joined</Head>
            </>
          }
        >
          {members.map(({ id, name, email, avatarUrl, suspendedAt, role, joinedAt }) => (
            <Row key={id}>
              <Cell>
                <div className="flex items-center gap-3">
                  <Avatar name={name} id={id} src={avatarUrl} />
                  <div className="grid min-w-0">
                    <span className="flex flex-wrap items-center gap-1.5">
                      <Link href={`/admin/people/${id}`} className="font-medium hover:underline">
                        {name}
                      </Link>
                      {suspendedAt && <Badge tone="danger">Suspended</Badge>}
                    </span>
                    <Copyable value={email} of={`email of ${name}`} className="text-muted" />
                  </div>
                </div>
              </Cell>
              <Cell>{roleNames[role]}</Cell>
              <Cell numeric muted>
                <Time at={joinedAt} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  )
}

/** Lists the latest events of a workspace, with a link to all events. */
export function WorkspaceEvents({ events, slug }: { events: ListedEvent[]; slug: string }) {
  return (
    <Section
      title="Audit log"
      flush
      footer={
        <TextLink href={`/admin/audit?${new URLSearchParams({ workspace: slug })}`}>
          All audit events in this workspace
        </TextLink>
      }
    >
      {events.length === 0 ? (
        <p className="px-4 py-4 text-muted">No activity yet.</p>
      ) : (
        <EventLog events={events} />
      )}
    </Section>
  )
}
