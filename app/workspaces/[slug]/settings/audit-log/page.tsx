import { ScrollText } from 'lucide-react'
import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { EventFilter } from '@/components/audit/event-filter'
import { EventTable } from '@/components/audit/event-table'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
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
  const wanted = [query.action].flat()[0] ?? ''
  const whom = [query.person].flat()[0] ?? ''
  const action = /^[a-z_]{1,60}(\.[a-z_]{1,60})?$/.test(wanted) ? wanted : ''
  const person = isId(whom) ? whom : ''
  const filter = { action: action || null, userId: person || null }
  const { rows, ...sides } = await orNotFound(listEvents(actor, workspace.id, filter, pageOf(query)))
  const [events, [members = []]] = await Promise.all([nameEvents(rows), listMembers(actor, [workspace.id])])
  const hrefs = pageHrefs(path, { action, person }, rows, sides)
  return (
    <>
      <EventFilter path={path} action={action} person={person} people={members} />
      <Card className="overflow-clip">
        {events.length === 0 ? (
          <EmptyState icon={ScrollText} title="Nothing recorded">
            {action || person
              ? 'Nothing matches. Choose another action or person.'
              : 'What people change here appears in this list.'}
          </EmptyState>
        ) : (
          <EventTable events={events} />
        )}
      </Card>
      {(hrefs.previous || hrefs.next) && (
        <div className="mt-4">
          <Pagination {...hrefs} label="Pages of the audit log" />
        </div>
      )}
    </>
  )
}
