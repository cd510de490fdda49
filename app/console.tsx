import type { ReactNode } from 'react'
import { RefusedMeanwhile } from '@/components/forms/without-script'
import { ConsoleFrame } from '@/components/frame/console-frame'
import type { FrameWorkspaces } from '@/components/frame/frame-types'
import { NoInstanceAdmin } from '@/components/frame/message-card'
import { sayIn } from '@/lib/base/language/say'
import { chosenTheme, recentCookie } from '@/lib/edges/web/console/preferences'
import { currentSession } from '@/lib/edges/web/current-session'
import { notedRefusal } from '@/lib/edges/web/forms/submit-form'
import { lacksInstanceAdmin } from '@/lib/features/instance-admin/read-instance'
import { countUnread } from '@/lib/features/notifications/read-notifications'
import { allows } from '@/lib/policy/permissions'
import type { WorkspaceRow } from '@/lib/policy/require'
import { readBrand } from './brand'
import { chooseThemeAction } from './theme-action'
import { openedWorkspaces } from './workspaces/open-workspace'

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/** The console's frame around a page; around nothing for a stranger, whom the page itself sends to sign in. */
export async function Console({ slug, children }: { slug?: string; children: ReactNode }) {
  const session = await currentSession()
  const opened = await openedWorkspaces(slug)
  if (!session || !opened) return children
  const [unread, refused, unmanaged, chosen] = await Promise.all([
    countUnread(session.actor),
    notedRefusal(),
    lacksInstanceAdmin(),
    chosenTheme(),
  ])
  return (
    <ConsoleFrame
      brand={readBrand()}
      user={{ ...session.user, instanceAdmin: session.actor.instanceAdmin, unread }}
      workspaces={inFrame(slug, opened)}
      theme={{ chosen, choose: chooseThemeAction }}
    >
      {unmanaged && (
        <div className="mb-6">
          <NoInstanceAdmin say={sayIn('en')} />
        </div>
      )}
      {refused && <RefusedMeanwhile reason={refused} />}
      {children}
    </ConsoleFrame>
  )
}

/** The rail speaks of the workspace whose page is open, or on the pages of the account of the one opened last. */
function inFrame(
  slug: string | undefined,
  { current, recent, rows }: NonNullable<Awaited<ReturnType<typeof openedWorkspaces>>>,
): FrameWorkspaces {
  const shown = slug === undefined ? (recent[0] ?? rows[0]) : current
  return {
    current: shown && { ...frameOf(shown), opened: slug !== undefined },
    recent: recent.map(frameOf),
    others: rows.filter((row) => !recent.includes(row)).map(frameOf),
    cookie: recentCookie(),
  }
}

const frameOf = ({ name, slug, role }: WorkspaceRow) => ({
  name,
  slug,
  role: role ? roleNames[role] : 'Guest',
  manages: allows(role, 'workspace:manage-apps') && allows(role, 'workspace:read-audit'),
})
