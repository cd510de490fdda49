import type { Metadata } from 'next'
import { ApiTable } from '@/components/apis/api-sections'
import { PageButton } from '@/components/forms/action-button'
import { ListFrame } from '@/components/lists/list-frame'
import { Blocks } from '@/components/ui/icon'
import { type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { listApis } from '@/lib/features/resources/list-apis'
import { openInstanceAdmin } from '../open-instance-admin'

export const metadata: Metadata = { title: 'APIs' }

export default async function ApisPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openInstanceAdmin('/admin/apis')
  const search = searchOf(await searchParams)
  const rows = (await listApis(actor)).filter(({ name, identifier }) =>
    `${name}\n${identifier}`.toLowerCase().includes(search.toLowerCase()),
  )
  const register = <PageButton href="/admin/apis/new">Register API</PageButton>
  return (
    <ListFrame
      path="/admin/apis"
      noun={['API', 'APIs']}
      // The list is not paginated, because an instance has only a few APIs.
      page={{ rows, number: 1, size: Math.max(rows.length, 1), total: rows.length }}
      search={search}
      action={register}
      empty={{
        icon: Blocks,
        title: 'No APIs yet',
        text: 'After you register an API of your platform, apps can request its scopes, and users see them on the consent page.',
        action: register,
      }}
    >
      <ApiTable apis={rows} />
    </ListFrame>
  )
}
