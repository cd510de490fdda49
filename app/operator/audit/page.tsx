import { ScrollText } from 'lucide-react'
import type { Metadata } from 'next'
import { EventLog } from '@/components/audit/event-log'
import { LogFooter } from '@/components/audit/log-footer'
import { NoMatch } from '@/components/lists/no-match'
import { InstanceEventFilter } from '@/components/operator/instance-event-filter'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { dayOf, pageHrefs, pageOf, type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { listInstanceEvents } from '@/lib/features/operator/list-instance-events'
import { openOperator } from '../open-operator'

export const metadata: Metadata = { title: 'Audit log' }

const path = '/operator/audit'

export default async function InstanceAuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openOperator(path)
  const query = await searchParams
  const [since, until] = [dayOf(query, 'since'), dayOf(query, 'until')]
  const text = (name: string) => textOf(query, name).replace(/\p{C}/gu, '').slice(0, 320)
  const [search, person, workspace] = [text('search'), text('person'), text('workspace')]
  const values = { search, person, workspace, since: since?.text ?? '', until: until?.text ?? '' }
  const filter = { search, person, workspace, since: since?.begins, until: until?.ends }
  const { rows, ...sides } = await listInstanceEvents(actor, filter, pageOf(query))
  const hrefs = pageHrefs(path, values, rows, sides)
  const filtered = Object.values(values).some(Boolean)
  return (
    <>
      <InstanceEventFilter path={path} values={values} />
      <Card className="overflow-clip">
        {rows.length > 0 && <EventLog events={rows} everywhere />}
        {rows.length === 0 && filtered && (
          <NoMatch path={path} noun="event" filtered>
            Try the beginning of an action, such as person or oauth_app, the ID of something, or a longer
            time.
          </NoMatch>
        )}
        {rows.length === 0 && !filtered && (
          <EmptyState icon={ScrollText} title="No activity yet">
            What people and apps change anywhere on this service appears here.
          </EmptyState>
        )}
      </Card>
      <LogFooter hrefs={hrefs} parameters={values} streamHref={`${path}/stream`} />
    </>
  )
}
