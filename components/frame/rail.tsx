'use client'
import { PaletteButton } from '../palette/palette-button'
import { Avatar } from '../ui/avatar'
import { cn } from '../ui/cn'
import {
  AppWindow,
  Bell,
  Blocks,
  BookOpen,
  ChevronsUpDown,
  CircleAlert,
  CircleHelp,
  ExternalLink,
  FolderClosed,
  Gauge,
  House,
  type Icon,
  KeyRound,
  LogOut,
  ScrollText,
  Settings,
  ShieldCheck,
  UserRound,
  Users,
  Webhook,
} from '../ui/icon'
import { Link } from '../ui/link'
import { type Brand, Logo } from './brand'
import type { FrameTheme, FrameUser, FrameWorkspaces } from './frame-types'
import { NavLink } from './nav-link'
import { PopMenu } from './pop-menu'
import { ThemeSwitch } from './theme-switch'
import { WorkspaceSwitcher } from './workspace-switcher'

/**
 * The content of the rail, on desktops and in the phone's sheet: the workspace switcher, the search button
 * (on desktops), the workspace's pages, and, at the bottom, notifications, help, and the user's menus.
 */
export function Rail({
  brand,
  user,
  workspaces,
  theme,
}: {
  brand: Brand
  user: FrameUser
  workspaces: FrameWorkspaces
  theme: FrameTheme
}) {
  const { current } = workspaces
  return (
    // The single column can shrink, so that a long name does not widen the rail.
    <div className="flex min-h-0 min-w-0 flex-1 flex-col [&>*]:min-w-0 [&>*]:max-w-full">
      <Link
        href={current ? homeOf(current) : '/'}
        title={brand.serviceName}
        className="mb-2 flex h-8 shrink-0 items-center gap-2 self-start rounded-control pr-2 pl-1.5 font-semibold tracking-[-0.01em]"
      >
        <Logo brand={brand} />
        <span className="truncate">{brand.serviceName}</span>
      </Link>
      <WorkspaceSwitcher {...workspaces} />
      <div className="mt-1.5 max-md:hidden">
        <PaletteButton />
      </div>
      <div className="mt-3 min-h-0 flex-1 overflow-y-auto pb-2">
        {current && (
          <nav aria-label="Main">
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">
              {placesOf(current).map(({ icon: Icon, label, count, requests, ...place }) => (
                <li key={place.href} className="relative">
                  <NavLink {...place} className="rail-link">
                    <Icon className="size-4 shrink-0" />
                    {label}
                  </NavLink>
                  {/* The count is outside the link, so that the link's accessible name is only the name of its page. */}
                  {(count || requests) && (
                    <span
                      className={cn(
                        'pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-xs tabular-nums leading-[18px]',
                        count
                          ? 'text-muted'
                          : 'rounded-full border border-accent-line bg-accent-soft px-1.5 font-medium text-link',
                      )}
                    >
                      {count ?? requests}
                      {requests && <span className="sr-only"> open app requests</span>}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
      <div className="grid shrink-0 grid-cols-[minmax(0,1fr)] gap-px border-t pt-2">
        <NavLink href="/account/notifications" className="rail-link">
          <Bell className="size-4 shrink-0" />
          Notifications
          {user.unread ? (
            <span className="ml-auto rounded-full border border-accent-line bg-accent-soft px-1.5 font-medium text-link text-xs tabular-nums leading-[18px]">
              {user.unread > 99 ? '99+' : user.unread}
              <span className="sr-only"> unread</span>
            </span>
          ) : null}
        </NavLink>
        <NavLink href="/docs" className="rail-link">
          <BookOpen className="size-4 shrink-0" />
          Docs
        </NavLink>
        <HelpMenu brand={brand} />
        <ThemeSwitch {...theme} />
        <AccountMenu user={user} />
      </div>
    </div>
  )
}

export type Place = {
  label: string
  href: string
  icon: Icon
  exact?: boolean
  except?: string[]
  /** The number of entries on the page. */
  count?: string | undefined
  /** The number of app requests that wait for a decision on the page. */
  requests?: string | undefined
}

/** Returns the URL of a workspace's home page. */
const homeOf = ({ slug }: { slug: string }) => `/workspaces/${slug}`

/**
 * Returns the workspace pages that the rail lists. An external user, who is only in projects of the
 * workspace, sees only Projects. Only users who manage the workspace see Developer and Audit log.
 */
function placesOf(workspace: NonNullable<FrameWorkspaces['current']>): Place[] {
  const home = homeOf(workspace)
  const [apps, log] = [`${home}/settings/developer`, `${home}/settings/audit-log`]
  const { projects: count, members, requests } = workspace.counts ?? {}
  const projects = { label: 'Projects', href: `${home}/projects`, icon: FolderClosed, count }
  if (workspace.role === 'External') return [projects]
  return [
    { label: 'Home', href: home, icon: House, exact: true },
    projects,
    ...(workspace.manages ? [{ label: 'Developer', href: apps, icon: AppWindow }] : []),
    { label: 'Members', href: `${home}/members`, icon: Users, count: members },
    ...(workspace.manages ? [{ label: 'Audit log', href: log, icon: ScrollText }] : []),
    { label: 'Settings', href: `${home}/settings`, icon: Settings, except: [apps, log], requests },
  ]
}

/**
 * The menu of the signed-in user at the bottom of the rail: the account pages that users open most often, a
 * link to the instance admin pages for instance admins, and sign-out.
 */
function AccountMenu({ user }: { user: FrameUser }) {
  return (
    <PopMenu
      summaryClass="flex w-full min-w-0 cursor-pointer select-none items-center gap-2.5 rounded-control px-2 py-1.5 text-left hover:bg-hover group-open:bg-hover"
      popClass="bottom-[calc(100%+6px)] left-0 w-full"
      summary={
        <>
          <span className="sr-only">Account</span>
          <Avatar name={user.name} id={user.id} src={user.avatarUrl} />
          <span className="grid min-w-0 flex-1">
            <bdi className="truncate font-medium leading-[18px]">{user.name}</bdi>
            <span className="truncate text-muted text-xs leading-4">{user.email}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" />
        </>
      }
    >
      <Link href="/account/profile" className="menu-item">
        <UserRound /> Account settings
      </Link>
      <Link href="/account/apps" className="menu-item">
        <Blocks /> Authorized apps
      </Link>
      <Link href="/account/tokens" className="menu-item">
        <KeyRound /> Tokens
      </Link>
      {user.instanceAdmin && (
        <Link href="/admin" className="menu-item">
          <ShieldCheck /> Instance admin
        </Link>
      )}
      <form action="/logout" method="post" className="mt-1 border-t pt-1">
        <button type="submit" className="menu-item">
          <LogOut /> Sign out
        </button>
      </form>
    </PopMenu>
  )
}

const pages = [
  { label: 'Guides', href: '/docs', icon: BookOpen },
  { label: 'What an error means', href: '/docs/errors', icon: CircleAlert },
  { label: 'Limits', href: '/docs/limits', icon: Gauge },
  { label: 'API reference', href: '/docs/graphql', icon: Webhook },
]

/** A menu with links to the product's documentation and the links that the instance admin set. */
function HelpMenu({ brand }: { brand: Brand }) {
  return (
    <PopMenu
      summaryClass="rail-link cursor-pointer select-none"
      popClass="bottom-[calc(100%+6px)] left-0 w-56"
      summary={
        <>
          <CircleHelp className="size-4 shrink-0" /> Help
        </>
      }
    >
      {pages.map(({ label, href, icon: Icon }) => (
        <Link key={href} href={href} className="menu-item">
          <Icon /> {label}
        </Link>
      ))}
      {brand.links?.map(({ label, href }) => (
        <a key={label} href={href} className="menu-item">
          <ExternalLink /> {label === 'Help' ? `Help from ${brand.serviceName}` : label}
        </a>
      ))}
    </PopMenu>
  )
}
