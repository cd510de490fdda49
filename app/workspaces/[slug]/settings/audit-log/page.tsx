import { ScrollText } from 'lucide-react'
import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { EventFilter } from '@/components/audit/event-filter'
import { EventLog } from '@/components/audit/event-log'
import { LogFooter } from '@/components/audit/log-footer'
import { NoMatch } from '@/components/lists/no-match'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { dayOf, pageHrefs, pageOf, type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listEvents } from '@/lib/features/audit/list-events'
import { nameEvents } from '@/lib/features/audit/name-events'
import { listMembers } from '@/lib/features/workspaces/list-members'
import { isId } from '@/lib/policy/require'

export const metadata: Metadata = { title: 'Audit log' }

export default async function AuditLogPage({
  params,
  searchParams,
}: {
  params: Promise<{ slug: string }>
  searchParams: Promise<SearchParams>
}) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/audit-log',
    'workspace:read-audit',
  )
  const path = `${home}/settings/audit-log`
  const query = await searchParams
  const [wanted, whom] = [textOf(query, 'action'), textOf(query, 'person')]
  const [since, until] = [dayOf(query, 'since'), dayOf(query, 'until')]
  const action = /^[a-z_]{1,60}(\.[a-z_]{1,60})?$/.test(wanted) ? wanted : ''
  const person = isId(whom) ? whom : ''
  const values = { action, person, since: since?.text ?? '', until: until?.text ?? '' }
  const filter = {
    action: action || null,
    userId: person || null,
    since: since?.begins ?? null,
    until: until?.ends ?? null,
  }
  const { rows, ...sides } = await orNotFound(listEvents(actor, workspace.id, filter, pageOf(query)))
  const [events, [members = []]] = await Promise.all([nameEvents(rows), listMembers(actor, [workspace.id])])
  const hrefs = pageHrefs(path, values, rows, sides)
  const filtered = Object.values(values).some(Boolean)
  return (
    <>
      <EventFilter path={path} values={values} people={members} />
      <Card className="overflow-clip">
        {events.length > 0 && <EventLog events={events} />}
        {events.length === 0 && filtered && (
          <NoMatch path={path} noun="event" filtered>
            Choose another action, person or time.
          </NoMatch>
        )}
        {events.length === 0 && !filtered && (
          <EmptyState icon={ScrollText} title="No activity yet">
            What people change here appears in this list.
          </EmptyState>
        )}
      </Card>
      <LogFooter
        hrefs={hrefs}
        parameters={{ workspaceId: workspace.id, ...values }}
        streamHref={`${path}/stream`}
      />
    </>
  )
}
