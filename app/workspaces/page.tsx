import type { Metadata } from 'next'
import Link from 'next/link'
import { GoButton } from '@/components/forms/go-button'
import { PageHeader } from '@/components/frame/page-header'
import { Avatar } from '@/components/ui/avatar'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { Console } from '../console'
import { reachableWorkspaces } from './open-workspace'

export const metadata: Metadata = { title: 'Workspaces' }

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

export default async function WorkspacesPage() {
  const { actor } = await requireSession('/workspaces')
  const workspaces = await reachableWorkspaces(actor)
  const create = <GoButton href="/workspaces/new">New workspace</GoButton>
  return (
    <Console>
      <PageHeader title="Workspaces" action={workspaces.length > 0 ? create : undefined} />
      <Card className="overflow-clip">
        {workspaces.length === 0 && (
          <EmptyState title="No workspaces yet" action={create}>
            Projects, members and OAuth apps live in a workspace.
          </EmptyState>
        )}
        <ul aria-label="Workspaces">
          {workspaces.map(({ id, slug, name, role }) => (
            <li key={id} className="border-b last:border-b-0">
              <Link
                href={`/workspaces/${slug}`}
                className="flex items-center gap-3 px-4 py-3.5 hover:bg-hover focus-visible:-outline-offset-2 sm:px-6"
              >
                <Avatar name={name} shape="square" />
                <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                <span className="text-[13px] text-muted">{role ? roleNames[role] : 'Guest'}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Console>
  )
}
