import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { IncomingTransfer, placeOfApp } from '@/components/apps/incoming-transfer'
import { PageButton } from '@/components/forms/action-button'
import { ListFrame } from '@/components/lists/list-frame'
import { PlaceList } from '@/components/lists/place-list'
import { AppWindow } from '@/components/ui/icon'
import { Stack } from '@/components/ui/stack'
import { parseTextPage } from '@/lib/base/db/paging'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listTransfersTo } from '@/lib/features/app-transfers/request-transfer'
import { searchApps } from '@/lib/features/apps/read-apps'

import { acceptTransferAction, declineTransferAction } from './actions'

export const metadata: Metadata = { title: 'Developer' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function DeveloperPage({ params, searchParams }: Props) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/developer',
    'workspace:manage-apps',
  )
  const query = await searchParams
  const search = searchOf(query)
  const page = await orNotFound(searchApps(actor, workspace.id, search, numberedPageOf(query)))
  const path = `${home}/settings/developer`
  const offers = await listTransfersTo(actor, workspace.id, parseTextPage({ first: 100 }))
  // While a transfer request is open, its button to accept is the page's primary button.
  const create = (
    <PageButton href={`${path}/new`} look={{ variant: offers.rows.length > 0 ? 'secondary' : 'primary' }}>
      New OAuth App
    </PageButton>
  )
  const list = (
    <ListFrame
      path={path}
      noun={['OAuth app', 'OAuth apps']}
      page={page}
      search={search}
      action={create}
      empty={{
        icon: AppWindow,
        title: 'No OAuth apps yet',
        text: 'An OAuth app lets your service sign users in and call the API with the access they grant.',
        action: create,
      }}
    >
      <PlaceList label="OAuth apps" places={page.rows.map(placeOfApp(path))} />
    </ListFrame>
  )
  if (offers.rows.length === 0) return list
  return (
    <Stack>
      {offers.rows.map((offer) => (
        <IncomingTransfer
          key={offer.id}
          offer={offer}
          accept={acceptTransferAction}
          decline={declineTransferAction}
        />
      ))}
      {list}
    </Stack>
  )
}
