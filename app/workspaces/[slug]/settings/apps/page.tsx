import { ShieldCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { InstalledTable } from '@/components/app-access/installed-table'
import { listedInstalled } from '@/components/app-access/listed-installed'
import { PolicyReview } from '@/components/app-access/policy-review'
import { PolicySection } from '@/components/app-access/policy-section'
import { SearchForm } from '@/components/projects/search-form'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { TextLink } from '@/components/ui/text-link'
import { cursorOfPlace } from '@/lib/base/db/page-of-all'
import { addressOf, oneOf, type SearchParams, textOf, textPageOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { appPolicies } from '@/lib/features/app-access/input'
import { type InstalledApp, pageInstalled, placeOfInstalled } from '@/lib/features/app-access/list-installed'
import { previewPolicy } from '@/lib/features/app-access/preview-policy'
import { setPolicyAction } from './actions'

export const metadata: Metadata = { title: 'Apps' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function WorkspaceAppsPage({ params, searchParams }: Props) {
  const { slug } = await params
  const { actor, workspace, home } = await openWorkspace(slug, '/settings/apps', 'workspace:decide-apps')
  const path = `${home}/settings/apps`
  const query = await searchParams
  const search = textOf(query, 'search')
  const policy = oneOf(query, 'policy', appPolicies)
  const page = textPageOf(query)
  const { rows, ...sides } = await orNotFound(pageInstalled(actor, workspace.id, page, { search }))
  const at = (side: 'before' | 'after', row: InstalledApp | undefined) =>
    addressOf(path, { search, [side]: row && cursorOfPlace(placeOfInstalled(row)) })
  return (
    <Stack>
      {policy && policy !== workspace.appPolicy ? (
        <PolicyReview
          workspaceId={workspace.id}
          policy={policy}
          losses={await previewPolicy(actor, workspace.id, policy)}
          path={path}
          action={setPolicyAction}
        />
      ) : (
        <PolicySection policy={workspace.appPolicy} chosen={workspace.appPolicy} path={path} />
      )}
      <div>
        {(search || rows.length > 5 || page.after || page.before) && (
          <SearchForm action={path} label="Search apps" value={search} />
        )}
        <Section
          title="Installed apps"
          description="Apps that members let in, and those you decided about. Tokens that members made themselves are not apps."
          action={<TextLink href={`${home}/settings/tokens`}>Tokens that reach in</TextLink>}
          flush
        >
          {rows.length === 0 ? (
            <EmptyState icon={ShieldCheck} title={search ? 'No app matches' : 'No apps yet'}>
              An app appears here once a member has let it in.
            </EmptyState>
          ) : (
            <InstalledTable apps={rows.map(listedInstalled)} path={path} />
          )}
        </Section>
      </div>
      {(sides.hasPreviousPage || sides.hasNextPage) && (
        <Pagination
          previous={sides.hasPreviousPage ? at('before', rows[0]) : undefined}
          next={sides.hasNextPage ? at('after', rows.at(-1)) : undefined}
          label="Pages of apps"
        />
      )}
    </Stack>
  )
}
