import type { Metadata } from 'next'
import { AppFilter, longestSearch, OperatedAppTable } from '@/components/instance-admin/app-table'
import { ListFooter, NoMatch } from '@/components/lists/list-frame'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { AppWindow } from '@/components/ui/icon'
import { addressOf, oneOf, type SearchParams, searchOf, textOf } from '@/lib/edges/web/console/list-page'
import { listAllApps } from '@/lib/features/instance-admin/lists'
import { openInstanceAdmin } from '../open-instance-admin'

export const metadata: Metadata = { title: 'Apps' }

const path = '/admin/apps'

export default async function AllAppsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openInstanceAdmin(path)
  const query = await searchParams
  const search = searchOf(query, undefined, longestSearch)
  const source = oneOf(query, 'source', ['SETTINGS', 'DYNAMIC', 'METADATA_DOCUMENT'])
  const state = oneOf(query, 'state', ['disabled', 'verified', 'waiting'])
  const at = { after: textOf(query, 'after'), before: textOf(query, 'before') }
  const { apps, before, after, count } = await listAllApps(actor, { search, source, state }, at)
  const kept = { search, source, state }
  const filtered = Boolean(source || state)
  return (
    <>
      <AppFilter path={path} search={search} source={source} state={state} />
      <Card className="overflow-clip">
        {apps.length > 0 && (
          <>
            <OperatedAppTable apps={apps} />
            <ListFooter
              previous={before && addressOf(path, { ...kept, before })}
              next={after && addressOf(path, { ...kept, after })}
              total={await count()}
              noun={['app', 'apps']}
            />
          </>
        )}
        {apps.length === 0 && (search || filtered) && (
          <NoMatch path={path} noun="app" search={search} filtered={filtered}>
            Search by part of the name or client ID. Self-registered apps are included.
          </NoMatch>
        )}
        {apps.length === 0 && !search && !filtered && (
          <EmptyState icon={AppWindow} title="No OAuth apps yet">
            Apps appear here when a workspace creates them or a client registers itself.
          </EmptyState>
        )}
      </Card>
    </>
  )
}
