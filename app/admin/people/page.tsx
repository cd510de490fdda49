import type { Metadata } from 'next'
import { UsersTable } from '@/components/instance-admin/users-table'
import { ListFooter, NoMatch } from '@/components/lists/list-frame'
import { ListSearch } from '@/components/lists/list-search'
import { Card } from '@/components/ui/card'
import { pageHrefs, pageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { listUsers } from '@/lib/features/instance-admin/lists'
import { openInstanceAdmin } from '../open-instance-admin'

export const metadata: Metadata = { title: 'People' }

const path = '/admin/people'

export default async function UsersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openInstanceAdmin(path)
  const query = await searchParams
  const search = searchOf(query)
  const { rows, count, ...sides } = await listUsers(actor, search, pageOf(query))
  const hrefs = pageHrefs(path, { search }, rows, sides)
  return (
    <>
      <div className="mb-4 flex">
        <ListSearch path={path} label="Search users" value={search} />
      </div>
      <Card className="overflow-clip">
        {rows.length > 0 ? (
          <>
            <UsersTable users={rows} />
            <ListFooter {...hrefs} total={await count()} noun={['user', 'users']} />
          </>
        ) : (
          <NoMatch path={path} noun="user" search={search}>
            Search by part of the name or email address.
          </NoMatch>
        )}
      </Card>
    </>
  )
}
