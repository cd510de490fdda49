import type { Metadata } from 'next'
import { RevokeAllUsers, UsersOfAppTable } from '@/components/apps/users-table'
import { ListFrame } from '@/components/lists/list-frame'
import { Users } from '@/components/ui/icon'
import { Stack } from '@/components/ui/stack'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { searchUsers } from '@/lib/features/apps/activity/list-users'
import { revokeAllUsersAction, revokeUserAction } from '../../actions'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'People' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

export default async function AppUsersPage({ params, searchParams }: Props) {
  const { app, actor, address } = await openApp(params, '/people')
  const query = await searchParams
  const search = searchOf(query)
  const page = await orNotFound(searchUsers(actor, app.id, search, numberedPageOf(query)))
  return (
    <Stack>
      <ListFrame
        path={`${address}/people`}
        noun={['user', 'users']}
        page={page}
        search={search}
        empty={{
          icon: Users,
          title: 'No users yet',
          text: 'Users who authorize your app appear here, with the access they granted.',
        }}
      >
        <UsersOfAppTable users={page.rows} clientId={app.id} revoke={revokeUserAction} />
      </ListFrame>
      {app.users > 0 && <RevokeAllUsers app={app} action={revokeAllUsersAction} />}
    </Stack>
  )
}
