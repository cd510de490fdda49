import type { Metadata } from 'next'
import { GoButton } from '@/components/forms/creation-form'
import { PageHeader } from '@/components/frame/page-header'
import { ListFrame } from '@/components/lists/list-frame'
import { PlaceList } from '@/components/lists/place-list'
import { roleNames } from '@/components/members/role-select'
import { LayoutGrid } from '@/components/ui/icon'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { searchWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { Console } from '../console'

export const metadata: Metadata = { title: 'Workspaces' }

export default async function WorkspacesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession('/workspaces')
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchWorkspaces(actor, search, numberedPageOf(query))
  const create = <GoButton href="/workspaces/new">New workspace</GoButton>
  const places = page.rows.map(({ slug, name, role }) => ({
    id: slug,
    name,
    href: `/workspaces/${slug}`,
    about: slug,
    aside: role ? roleNames[role] : 'External',
  }))
  return (
    <Console>
      <PageHeader title="Workspaces" action={page.total > 0 || search ? create : undefined} />
      <ListFrame
        path="/workspaces"
        noun={['workspace', 'workspaces']}
        page={page}
        search={search}
        empty={{
          icon: LayoutGrid,
          title: 'No workspaces yet',
          text: 'A workspace contains projects, members, and OAuth apps.',
          action: create,
        }}
      >
        <PlaceList label="Workspaces" places={places} />
      </ListFrame>
    </Console>
  )
}
