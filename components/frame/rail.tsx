import { Bell, FolderClosed, Settings, Users } from 'lucide-react'
import Link from 'next/link'
import { PaletteButton } from '../palette/palette-button'
import { Badge } from '../ui/badge'
import { AccountMenu } from './account-menu'
import { type Brand, Logo } from './brand'
import type { FramePerson, FrameWorkspace } from './frame-types'
import { NavLink } from './nav-link'
import { WorkspaceSwitcher } from './workspace-switcher'

/** What stands in the rail, on the desktop and in the phone's sheet alike. */
export function Rail({
  brand,
  person,
  workspace,
  workspaces,
}: {
  brand: Brand
  person: FramePerson
  workspace: FrameWorkspace | undefined
  workspaces: FrameWorkspace[]
}) {
  const home = workspace && `/workspaces/${workspace.slug}`
  const places = home
    ? [
        { label: 'Projects', href: home, icon: FolderClosed, exact: true, also: `${home}/projects` },
        ...(workspace.role === 'Guest'
          ? []
          : [
              { label: 'Members', href: `${home}/members`, icon: Users },
              { label: 'Settings', href: `${home}/settings`, icon: Settings },
            ]),
      ]
    : []
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-3">
      <Link
        href={home ?? '/'}
        className="flex h-8 items-center gap-2 self-start rounded-control px-2 font-semibold"
      >
        <Logo brand={brand} />
        {brand.serviceName}
      </Link>
      <div className="grid gap-2">
        <div className="max-md:hidden">
          <PaletteButton />
        </div>
        <WorkspaceSwitcher current={workspace} workspaces={workspaces} />
      </div>
      {places.length > 0 && (
        <nav aria-label="Workspace">
          <ul className="grid gap-0.5">
            {places.map(({ label, href, icon: Icon, exact, also }) => (
              <li key={href}>
                <NavLink
                  href={href}
                  exact={exact ?? false}
                  {...(also ? { also } : {})}
                  className="flex items-center gap-2.5 rounded-control px-2 py-1.5 text-muted hover:bg-raised hover:text-text aria-[current]:bg-raised aria-[current]:font-medium aria-[current]:text-text"
                >
                  <Icon aria-hidden className="size-4" />
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className="mt-auto grid gap-2 border-t pt-3">
        <NavLink
          href="/account/notifications"
          className="flex items-center gap-2.5 rounded-control px-2 py-1.5 text-muted hover:bg-raised hover:text-text aria-[current]:bg-raised aria-[current]:font-medium aria-[current]:text-text"
        >
          <Bell aria-hidden className="size-4" />
          Notifications
          {person.unread ? (
            <Badge tone="accent" className="ml-auto tabular-nums">
              {person.unread > 99 ? '99+' : person.unread}
              <span className="sr-only">unread</span>
            </Badge>
          ) : null}
        </NavLink>
        <AccountMenu person={person} />
      </div>
    </div>
  )
}
