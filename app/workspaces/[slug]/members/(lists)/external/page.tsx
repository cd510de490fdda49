import type { Metadata } from 'next'
import { ListFrame } from '@/components/lists/list-frame'
import { ExternalTable } from '@/components/members/external-table'
import { UserRoundSearch } from '@/components/ui/icon'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { searchExternalUsers } from '@/lib/features/workspaces/search-members'
import { openMembers } from '../../open-members'

export const metadata: Metadata = { title: 'External users' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function ExternalUsersPage({ params, searchParams }: Props) {
  const { workspace, home, path } = await openMembers(params, '/external', true)
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchExternalUsers(workspace.id, search, numberedPageOf(query))
  return (
    <ListFrame
      path={`${path}/external`}
      noun={['external user', 'external users']}
      page={page}
      search={search}
      empty={{
        icon: UserRoundSearch,
        title: 'No external users',
        text: 'Users from outside the workspace appear here after someone adds them to a project.',
      }}
    >
      <ExternalTable users={page.rows} projectsHref={`${home}/projects`} />
    </ListFrame>
  )
}
