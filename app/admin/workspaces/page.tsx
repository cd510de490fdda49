import type { Metadata } from 'next'
import { ListFooter, NoMatch } from '@/components/lists/list-frame'
import { ListSearch } from '@/components/lists/list-search'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Building2 } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Cell, Head, Row, Table } from '@/components/ui/table'
import { Time } from '@/components/ui/time'
import { pageHrefs, pageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { listAllWorkspaces } from '@/lib/features/instance-admin/lists'
import { openInstanceAdmin } from '../open-instance-admin'

export const metadata: Metadata = { title: 'Workspaces' }

const path = '/admin/workspaces'
const columns = ['Members', 'Projects', 'OAuth apps', 'Created']

export default async function AllWorkspacesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openInstanceAdmin(path)
  const query = await searchParams
  const search = searchOf(query)
  const { rows, count, ...sides } = await listAllWorkspaces(actor, search, pageOf(query))
  const hrefs = pageHrefs(path, { search }, rows, sides)
  const head = columns.map((column) => (
    <Head key={column} numeric>
      {column}
    </Head>
  ))
  return (
    <>
      <div className="mb-4 flex">
        <ListSearch path={path} label="Search workspaces" value={search} />
      </div>
      <Card className="overflow-clip">
        {rows.length === 0 && search && (
          <NoMatch path={path} noun="workspace" search={search}>
            Search by part of the name or URL.
          </NoMatch>
        )}
        {rows.length === 0 && !search && (
          <EmptyState icon={Building2} title="No workspaces yet">
            Workspaces contain projects, members, and OAuth apps.
          </EmptyState>
        )}
        {rows.length > 0 && (
          <Table caption="Workspaces" head={[<Head key="name">Workspace</Head>, ...head]}>
            {rows.map(({ id, name, slug, requireTwoFactor, createdAt, _count }) => (
              <Row key={id}>
                <Cell>
                  <span className="flex items-center gap-2 font-medium">
                    <Link href={`${path}/${id}`} className="hover:underline">
                      {name}
                    </Link>
                    {requireTwoFactor && <Badge>Two-factor</Badge>}
                  </span>
                  <span className="font-mono text-[13px] text-muted">{slug}</span>
                </Cell>
                <Cell numeric>{_count.members}</Cell>
                <Cell numeric>{_count.projects}</Cell>
                <Cell numeric>{_count.clients}</Cell>
                <Cell numeric muted>
                  <Time at={createdAt} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
        {rows.length > 0 && (
          <ListFooter {...hrefs} total={await count()} noun={['workspace', 'workspaces']} />
        )}
      </Card>
    </>
  )
}
