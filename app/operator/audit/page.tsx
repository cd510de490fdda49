import { ScrollText } from 'lucide-react'
import type { Metadata } from 'next'
import { SearchForm } from '@/components/projects/search-form'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { Cell, Head, Row, Table } from '@/components/ui/table'
import { Time } from '@/components/ui/time'
import { listInstanceEvents } from '@/lib/instance/list-instance-events'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/web/list-page'
import { openOperator } from '../open-operator'
import { OperatorHeader } from '../operator-header'

export const metadata: Metadata = { title: 'Audit log' }

const path = '/operator/audit'
const columns = ['When', 'Who', 'What', 'Which', 'Workspace', 'From']

export default async function InstanceAuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openOperator(path)
  const query = await searchParams
  const search = [query.search].flat()[0] ?? ''
  const { rows, ...sides } = await listInstanceEvents(actor, search, pageOf(query))
  const hrefs = pageHrefs(path, { search }, rows, sides)
  return (
    <>
      <OperatorHeader />
      <SearchForm action={path} label="Search by action or id" value={search} />
      <Card className="overflow-clip">
        {rows.length === 0 && (
          <EmptyState icon={ScrollText} title="Nothing recorded">
            Try the beginning of an action, such as person or oauth_app, or the id of something.
          </EmptyState>
        )}
        {rows.length > 0 && (
          <Table caption="Audit log" head={columns.map((column) => <Head key={column}>{column}</Head>)}>
            {rows.map((event) => (
              <Row key={event.id}>
                <Cell muted className="whitespace-nowrap">
                  <Time at={event.createdAt} />
                </Cell>
                <Cell className="whitespace-nowrap">
                  {event.person ?? (event.actorKind === 'system' ? 'System' : 'Somebody gone')}
                </Cell>
                <Cell className="font-mono text-[13px]">{event.action}</Cell>
                <Cell className="max-w-[320px] truncate font-mono text-[13px]">
                  <span title={event.resourceId}>{event.resourceId}</span>
                </Cell>
                <Cell>{event.workspace?.name}</Cell>
                <Cell muted>{event.ip}</Cell>
              </Row>
            ))}
          </Table>
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
