import { Bell, FolderClosed, type LucideIcon, Settings, Users } from 'lucide-react'
import Link from 'next/link'
import type { ConsoleArea } from '@/lib/edges/web/console/console-pages'
import { PaletteButton } from '../palette/palette-button'
import { Badge } from '../ui/badge'
import { AccountMenu } from './account-menu'
import { type Brand, Logo } from './brand'
import type { FramePerson, FrameWorkspace } from './frame-types'
import { AccountWithoutScript, WorkspacesWithoutScript } from './menus-without-script'
import { NavLink } from './nav-link'
import { WorkspaceSwitcher } from './workspace-switcher'

type Place = { label: string; href: string; icon?: LucideIcon; exact?: boolean; also?: string }

const placeClass =
  'flex items-center gap-2.5 rounded-control px-2 py-1.5 text-muted hover:bg-hover hover:text-text aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-text'

/** Stands at the foot of every rail, and so not among the pages of the account. */
const notifications = '/account/notifications'

/** What stands in the rail, on the desktop and in the phone's sheet alike: the pages of the workspace, or of the area beside. */
export function Rail({
  brand,
  person,
  workspace,
  workspaces,
  area,
}: {
  brand: Brand
  person: FramePerson
  workspace: FrameWorkspace | undefined
  workspaces: FrameWorkspace[]
  area: ConsoleArea | undefined
}) {
  const places: Place[] = workspace
    ? placesOf(workspace)
    : (area?.pages.filter(({ href }) => href !== notifications) ?? [])
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-3">
      <Link
        href={workspace ? homeOf(workspace) : '/'}
        className="flex h-8 items-center gap-2 self-start rounded-control px-2 font-semibold"
      >
        <Logo brand={brand} />
        {brand.serviceName}
      </Link>
      <div className="grid gap-2">
        <div className="max-md:hidden">
          <PaletteButton />
        </div>
        <div className="needs-script">
          <WorkspaceSwitcher current={workspace} workspaces={workspaces} />
        </div>
        <WorkspacesWithoutScript current={workspace} />
      </div>
      {places.length > 0 && (
        <nav aria-label={area?.label ?? 'Workspace'}>
          {area && (
            <p aria-hidden className="px-2 pb-1 font-medium text-[13px] text-muted">
              {area.label}
            </p>
          )}
          <ul className="grid gap-0.5">
            {places.map(({ label, href, icon: Icon, exact, also }) => (
              <li key={href}>
                <NavLink
                  href={href}
                  exact={exact ?? false}
                  {...(also ? { also } : {})}
                  className={placeClass}
                >
                  {Icon && <Icon aria-hidden className="size-4" />}
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className="mt-auto grid gap-2 border-t pt-3">
        <NavLink href={notifications} className={placeClass}>
          <Bell aria-hidden className="size-4" />
          Notifications
          {person.unread ? (
            <Badge tone="accent" className="ml-auto tabular-nums">
              {person.unread > 99 ? '99+' : person.unread}
              <span className="sr-only">unread</span>
            </Badge>
          ) : null}
        </NavLink>
        <div className="needs-script">
          <AccountMenu person={person} />
        </div>
        <AccountWithoutScript person={person} />
      </div>
    </div>
  )
}

const homeOf = ({ slug }: FrameWorkspace) => `/workspaces/${slug}`

/** The pages of a workspace; a guest, who only shares a project, sees the projects alone. */
function placesOf(workspace: FrameWorkspace): Place[] {
  const home = homeOf(workspace)
  const projects = {
    label: 'Projects',
    href: home,
    icon: FolderClosed,
    exact: true,
    also: `${home}/projects`,
  }
  if (workspace.role === 'Guest') return [projects]
  return [
    projects,
    { label: 'Members', href: `${home}/members`, icon: Users },
    { label: 'Settings', href: `${home}/settings`, icon: Settings },
  ]
}
