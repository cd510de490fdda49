import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { PlaceList } from '@/components/lists/place-list'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ButtonLink } from '@/components/ui/link'
import { addressOf, type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { nameInstallable } from '@/lib/features/app-access/installations'
import { listReachableWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { allows } from '@/lib/policy/permissions'
import { Console } from '../console'

export const metadata: Metadata = { title: 'Install an app' }

/**
 * The page of an app's installation link (`?client_id=`), on which the user selects the workspace. It lists
 * only workspaces whose apps the user can approve.
 */
export default async function InstallPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const clientId = textOf(await searchParams, 'client_id')
  const { actor } = await requireSession(addressOf('/install', { client_id: clientId }))
  const mine = (await listReachableWorkspaces(actor)).filter(({ role }) =>
    allows(role, 'workspace:decide-apps'),
  )
  const name = await nameInstallable(
    clientId,
    mine.map(({ id }) => id),
  )
  const places = mine.map(({ slug, name: workspace }) => ({
    id: slug,
    name: workspace,
    href: addressOf(`/workspaces/${slug}/settings/apps/install`, { client_id: clientId }),
    about: slug,
  }))
  return (
    <Console>
      <PageHeader
        title={name ? `Install ${name}` : 'Install an app'}
        description={places.length > 0 ? 'Choose a workspace.' : undefined}
      />
      <Card className="overflow-clip">
        {places.length === 0 ? (
          <EmptyState
            title="You’re not an admin of any workspace"
            action={<ButtonLink href="/workspaces/new">New workspace</ButtonLink>}
          >
            Only admins can install apps. Send this link to an admin of your workspace.
          </EmptyState>
        ) : (
          <PlaceList label="Workspaces" places={places} />
        )}
      </Card>
    </Console>
  )
}
