import type { ReactNode } from 'react'
import { RefusedMeanwhile } from '@/components/forms/refused-meanwhile'
import { ConsoleFrame } from '@/components/frame/console-frame'
import type { ConsoleArea } from '@/lib/edges/web/console/console-pages'
import { notedRefusal } from '@/lib/edges/web/forms/noted-refusal'
import { currentSession } from '@/lib/edges/web/session/current-session'
import { countUnread } from '@/lib/features/notifications/list-notifications'
import { readBrand } from './brand'
import { reachableWorkspaces } from './workspaces/open-workspace'

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/** The console's frame around a page; around nothing for a stranger, whom the page itself sends to sign in. */
export async function Console({
  slug,
  area,
  children,
}: {
  slug?: string
  area?: ConsoleArea
  children: ReactNode
}) {
  const session = await currentSession()
  if (!session) return children
  const [rows, unread, refused] = await Promise.all([
    reachableWorkspaces(session.actor),
    countUnread(session.actor),
    notedRefusal(),
  ])
  const workspaces = rows.map((row) => ({
    name: row.name,
    slug: row.slug,
    role: row.role ? roleNames[row.role] : 'Guest',
  }))
  return (
    <ConsoleFrame
      brand={readBrand()}
      person={{ ...session.person, operator: session.actor.instanceAdmin, unread }}
      workspaces={workspaces}
      workspace={workspaces.find((one) => one.slug === slug)}
      area={area}
    >
      {refused && <RefusedMeanwhile reason={refused} />}
      {children}
    </ConsoleFrame>
  )
}
