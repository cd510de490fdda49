import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHeader } from '@/components/frame/page-header'
import { Avatar } from '@/components/ui/avatar'
import { ButtonLink } from '@/components/ui/button-link'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { addressOf, type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { listReachableWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { allows } from '@/lib/policy/permissions'
import { Console } from '../console'

export const metadata: Metadata = { title: 'Install an app' }

/**
 * The page of an app's installation link (`?client_id=`), on which the user selects the workspace. It lists only workspaces
 * whose apps the user can approve.
 */
export default async function InstallPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const clientId = textOf(await searchParams, 'client_id')
  const { actor } = await requireSession(addressOf('/install', { client_id: clientId }))
  const mine = (await listReachableWorkspaces(actor)).filter(({ role }) =>
    allows(role, 'workspace:decide-apps'),
  )
  return (
    <Console>
      <PageHeader title="Install an app" description="Choose the workspace that the app acts for." />
      <Card className="overflow-clip">
        {mine.length === 0 && (
          <EmptyState
            title="You’re not an admin of any workspace"
            action={<ButtonLink href="/workspaces/new">New workspace</ButtonLink>}
          >
            Only admins can install apps. Send this link to an admin of your workspace.
          </EmptyState>
        )}
        <ul aria-label="Workspaces">
          {mine.map(({ id, slug, name }) => (
            <li key={id} className="border-b last:border-b-0">
              <Link
                href={addressOf(`/workspaces/${slug}/settings/apps/install`, { client_id: clientId })}
                className="flex items-center gap-3 px-4 py-3.5 hover:bg-hover focus-visible:-outline-offset-2"
              >
                <Avatar name={name} id={slug} shape="square" />
                <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Console>
  )
}
