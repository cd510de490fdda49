import type { Metadata } from 'next'
import { UsersTable } from '@/components/instance-admin/users-table'
import { FilterChip } from '@/components/lists/filters'
import { ListFooter, NoMatch } from '@/components/lists/list-frame'
import { ListSearch } from '@/components/lists/list-search'
import { Card } from '@/components/ui/card'
import { oneOf, pageHrefs, pageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { listUsers, type UserState } from '@/lib/features/instance-admin/lists'
import { openInstanceAdmin } from '../open-instance-admin'

export const metadata: Metadata = { title: 'People' }

const path = '/admin/people'

const states = {
  active: 'Active',
  suspended: 'Suspended',
  unconfirmed: 'Email not confirmed',
  admin: 'Instance admin',
} satisfies Record<UserState, string>

export default async function UsersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openInstanceAdmin(path)
  const query = await searchParams
  const search = searchOf(query)
  const state = oneOf(query, 'state', Object.keys(states) as UserState[])
  const kept = { search, state: state ?? '' }
  const { rows, count, ...sides } = await listUsers(actor, search, pageOf(query), state)
  const hrefs = pageHrefs(path, kept, rows, sides)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-2">
        <ListSearch path={path} label="Search users" value={search} kept={{ state: kept.state }} />
        <FilterChip path={path} name="state" label="Status" choices={states} value={state} kept={kept} />
      </div>
      <Card className="overflow-clip">
        {rows.length > 0 ? (
          <>
            <UsersTable users={rows} />
            <ListFooter {...hrefs} total={await count()} noun={['user', 'users']} />
          </>
        ) : (
          <NoMatch path={path} noun="user" search={search} filtered={Boolean(state)}>
            Search by part of the name or email address.
          </NoMatch>
        )}
      </Card>
    </>
  )
}
