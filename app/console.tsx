import type { ReactNode } from 'react'
import { RefusedMeanwhile } from '@/components/forms/refused-meanwhile'
import { ConsoleFrame } from '@/components/frame/console-frame'
import { NoOperator } from '@/components/frame/no-operator'
import { sayIn } from '@/lib/base/language/say'
import type { ConsoleArea } from '@/lib/edges/web/console/console-pages'
import { notedRefusal } from '@/lib/edges/web/forms/noted-refusal'
import { currentSession } from '@/lib/edges/web/session/current-session'
import { countUnread } from '@/lib/features/notifications/list-notifications'
import { lacksOperator } from '@/lib/features/operator/lacks-operator'
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
  const [rows, unread, refused, unmanaged] = await Promise.all([
    reachableWorkspaces(session.actor),
    countUnread(session.actor),
    notedRefusal(),
    lacksOperator(),
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
      {unmanaged && (
        <div className="mb-6">
          <NoOperator say={sayIn('en')} />
        </div>
      )}
      {refused && <RefusedMeanwhile reason={refused} />}
      {children}
    </ConsoleFrame>
  )
}
