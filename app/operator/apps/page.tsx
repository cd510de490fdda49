import { AppWindow } from 'lucide-react'
import type { Metadata } from 'next'
import { AppFilter } from '@/components/operator/app-filter'
import { OperatedAppTable } from '@/components/operator/app-table'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { addressOf, oneOf, type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { listAllApps } from '@/lib/features/operator/list-apps'
import { openOperator } from '../open-operator'

export const metadata: Metadata = { title: 'Apps' }

const path = '/operator/apps'

export default async function AllAppsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openOperator(path)
  const query = await searchParams
  const search = textOf(query, 'search')
  const source = oneOf(query, 'source', ['SETTINGS', 'DYNAMIC', 'METADATA_DOCUMENT'])
  const state = oneOf(query, 'state', ['disabled', 'verified', 'waiting'])
  const at = { after: textOf(query, 'after'), before: textOf(query, 'before') }
  const { apps, before, after } = await listAllApps(actor, { search, source, state }, at)
  const kept = { search, source, state }
  return (
    <>
      <AppFilter path={path} search={search} source={source} state={state} />
      <Card className="overflow-clip">
        {apps.length > 0 ? (
          <OperatedAppTable apps={apps} />
        ) : (
          <EmptyState icon={AppWindow} title="No app matches">
            Try a part of its name or client id. Apps that registered themselves are here as well.
          </EmptyState>
        )}
      </Card>
      {(before || after) && (
        <div className="mt-4">
          <Pagination
            previous={before && addressOf(path, { ...kept, before })}
            next={after && addressOf(path, { ...kept, after })}
            label="Pages of apps"
          />
        </div>
      )}
    </>
  )
}
