import type { ReactNode } from 'react'
import { RefusedMeanwhile } from '@/components/forms/without-script'
import { ConsoleFrame } from '@/components/frame/console-frame'
import type { FrameWorkspaces } from '@/components/frame/frame-types'
import { NoInstanceAdmin } from '@/components/frame/message-card'
import { sayIn } from '@/lib/base/language/say'
import { chosenTheme, placesCookie, recentCookie } from '@/lib/edges/web/console/preferences'
import { currentSession } from '@/lib/edges/web/current-session'
import { notedRefusal } from '@/lib/edges/web/forms/submit-form'
import { lacksInstanceAdmin } from '@/lib/features/instance-admin/read-instance'
import { countUnread } from '@/lib/features/notifications/read-notifications'
import { countPlaces, mostCounted, type PlaceCounts } from '@/lib/features/workspaces/list-places'
import { allows } from '@/lib/policy/permissions'
import type { WorkspaceRow } from '@/lib/policy/require'
import { readBrand } from './brand'
import { chooseThemeAction } from './theme-action'
import { openedWorkspaces } from './workspaces/open-workspace'

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/**
 * Renders the frame of the console around a page. Without a session, it renders only the page, which
 * redirects to the sign-in page.
 */
export async function Console({ slug, children }: { slug?: string; children: ReactNode }) {
  const session = await currentSession()
  const opened = await openedWorkspaces(slug)
  if (!session || !opened) return children
  const shown = shownIn(slug, opened)
  const [counts, unread, refused, unmanaged, chosen] = await Promise.all([
    shown && countPlaces(session.actor, shown),
    countUnread(session.actor),
    notedRefusal(),
    lacksInstanceAdmin(),
    chosenTheme(),
  ])
  return (
    <ConsoleFrame
      brand={readBrand()}
      user={{ ...session.user, instanceAdmin: session.actor.instanceAdmin, unread }}
      workspaces={inFrame(slug, opened, counts)}
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

type Opened = NonNullable<Awaited<ReturnType<typeof openedWorkspaces>>>

/**
 * Returns the rail's workspace: the workspace whose page is open. On pages outside a workspace, returns the
 * most recently opened workspace or, if there is none, the first workspace in the list. Returns undefined if
 * there is no such workspace.
 */
const shownIn = (slug: string | undefined, { current, recent, rows }: Opened) =>
  slug === undefined ? (recent[0] ?? rows[0]) : current

function inFrame(slug: string | undefined, opened: Opened, counts: PlaceCounts | undefined): FrameWorkspaces {
  const { recent, rows } = opened
  const shown = shownIn(slug, opened)
  return {
    current: shown && {
      ...frameOf(shown),
      opened: slug !== undefined,
      counts: counts && {
        projects: shortCount(counts.projects),
        members: shortCount(counts.members),
        requests: counts.requests > 0 ? shortCount(counts.requests) : undefined,
      },
    },
    recent: recent.map(frameOf),
    others: rows.filter((row) => !recent.includes(row)).map(frameOf),
    cookie: recentCookie(),
    places: placesCookie(),
  }
}

const shortCount = (count: number) => (count > mostCounted ? `${mostCounted}+` : String(count))

const frameOf = ({ name, slug, role }: WorkspaceRow) => ({
  name,
  slug,
  role: role ? roleNames[role] : 'External',
  manages: allows(role, 'workspace:manage-apps') && allows(role, 'workspace:read-audit'),
})
