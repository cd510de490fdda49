import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { EventFilter } from '@/components/audit/event-filter'
import { LogCard } from '@/components/audit/log-card'
import { isId } from '@/lib/base/db/prisma'
import { dayOf, pageHrefs, pageOf, type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { orNotFound, orSentence } from '@/lib/edges/web/console/or-not-found'
import { listEvents } from '@/lib/features/audit/list-events'
import { nameEvents } from '@/lib/features/audit/name-events'
import { listMembers } from '@/lib/features/workspaces/list-members'

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
  const [action, whom] = [textOf(query, 'action'), textOf(query, 'user')]
  const [since, until] = [dayOf(query, 'since'), dayOf(query, 'until')]
  const user = isId(whom) ? whom : ''
  const values = { action, user, since: since?.text ?? '', until: until?.text ?? '' }
  const filter = { action, userId: user || null, since: since?.begins, until: until?.ends }
  const { found, sentence } = await orSentence(
    orNotFound(listEvents(actor, workspace.id, filter, pageOf(query))),
  )
  const [events, [members = []]] = await Promise.all([
    nameEvents(found?.rows ?? []),
    listMembers(actor, [workspace.id]),
  ])
  return (
    <>
      <EventFilter path={path} values={values} users={members} />
      <LogCard
        path={path}
        events={events}
        sentence={sentence}
        filtered={Object.values(values).some(Boolean)}
        advice="Choose another action, user, or period."
        pages={found ? pageHrefs(path, values, found.rows, found) : {}}
        exported={{ workspaceId: workspace.id, ...values }}
      >
        Changes in this workspace appear here.
      </LogCard>
    </>
  )
}
