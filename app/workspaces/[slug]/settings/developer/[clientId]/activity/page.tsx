import type { Metadata } from 'next'
import { ActivityList } from '@/components/apps/activity-list'
import { ChoiceFilter } from '@/components/lists/filters'
import { ListSearch } from '@/components/lists/list-search'
import { buttonClass } from '@/components/ui/button'
import {
  addressOf,
  oneOf,
  pageHrefs,
  pageOf,
  type SearchParams,
  searchOf,
} from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listActivity } from '@/lib/features/apps/activity/list-activity'
import { activityKindNames, activityKinds } from '@/lib/features/apps/activity/note-activity'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Activity' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

export default async function AppActivityPage({ params, searchParams }: Props) {
  const { app, actor, address } = await openApp(params, '/activity')
  const query = await searchParams
  const kind = oneOf(query, 'kind', activityKindNames)
  const search = searchOf(query)
  const path = `${address}/activity`
  const list = await orNotFound(listActivity(actor, app.id, pageOf(query), { kind, search }))
  const kept = { kind: kind ?? '', search }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <ListSearch
          path={path}
          label="Search activity"
          placeholder="Error, IP address, or ID"
          value={search}
          kept={{ kind: kept.kind }}
        />
        <ChoiceFilter path={path} name="kind" choices={activityKinds} value={kind} kept={{ search }} />
        <a
          href={addressOf(`${path}/export`, kept)}
          download
          className={buttonClass({ className: 'ml-auto' })}
        >
          Export CSV
        </a>
      </div>
      <ActivityList
        events={list.rows}
        total={await list.count()}
        path={path}
        search={search}
        filtered={kind !== undefined}
        hrefs={pageHrefs(path, kept, list.rows, list)}
      />
    </div>
  )
}
