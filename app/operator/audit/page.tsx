import { ScrollText } from 'lucide-react'
import type { Metadata } from 'next'
import { EventLog } from '@/components/audit/event-log'
import { LogFooter } from '@/components/audit/log-footer'
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
  return (
    <>
      <InstanceEventFilter path={path} values={values} />
      <Card className="overflow-clip">
        {rows.length > 0 ? (
          <EventLog events={rows} everywhere />
        ) : (
          <EmptyState icon={ScrollText} title="No activity yet">
            Try the beginning of an action, such as person or oauth_app, the id of something, or a longer
            time.
          </EmptyState>
        )}
      </Card>
      <LogFooter hrefs={hrefs} parameters={values} streamHref={`${path}/stream`} />
    </>
  )
}
