import { AppWindow } from 'lucide-react'
import type { Metadata } from 'next'
import { OperatedAppTable } from '@/components/operator/app-table'
import { SearchForm } from '@/components/projects/search-form'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { listAllApps } from '@/lib/instance/manage-apps'
import type { SearchParams } from '@/lib/web/list-page'
import { disableAppAction, enableAppAction, unverifyAppAction, verifyAppAction } from '../actions'
import { openOperator } from '../open-operator'
import { OperatorHeader } from '../operator-header'

export const metadata: Metadata = { title: 'Apps' }

const actions = {
  disable: disableAppAction,
  enable: enableAppAction,
  verify: verifyAppAction,
  unverify: unverifyAppAction,
}

export default async function AllAppsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openOperator('/operator/apps')
  const search = [(await searchParams).search].flat()[0] ?? ''
  const { apps, more } = await listAllApps(actor, { search })
  return (
    <>
      <OperatorHeader />
      <SearchForm action="/operator/apps" label="Search apps" value={search} />
      <Card className="overflow-clip">
        {apps.length > 0 ? (
          <OperatedAppTable
            apps={apps.map(({ _count, ...app }) => ({ ...app, people: _count.authorizations }))}
            actions={actions}
          />
        ) : (
          <EmptyState icon={AppWindow} title="No app matches">
            Try a part of its name or client id. Apps that registered themselves are here as well.
          </EmptyState>
        )}
      </Card>
      {more && <p className="mt-4 text-muted">There are more. Search to see the others.</p>}
    </>
  )
}
