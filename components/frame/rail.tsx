import { Bell, BookOpen } from 'lucide-react'
import Link from 'next/link'
import { PaletteButton } from '../palette/palette-button'
import { AccountMenu } from './account-menu'
import { type Brand, Logo } from './brand'
import type { FramePerson, FrameTheme, FrameWorkspaces } from './frame-types'
import { HelpMenu } from './help-menu'
import { NavLink } from './nav-link'
import { homeOf, placesOf } from './rail-places'
import { ThemeSwitch } from './theme-switch'
import { WorkspaceSwitcher } from './workspace-switcher'

const placeClass =
  'flex h-[30px] min-w-0 items-center gap-2.5 rounded-control px-2 text-muted transition-colors duration-100 hover:bg-hover hover:text-text aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-text max-md:h-10 forced-colors:aria-[current]:border [&[aria-current]>svg]:text-link'

/** What stands in the rail, on the desktop and in the phone's sheet alike: the workspace and its pages, and at the foot what belongs to the person. */
export function Rail({
  brand,
  person,
  workspaces,
  theme,
}: {
  brand: Brand
  person: FramePerson
  workspaces: FrameWorkspaces
  theme: FrameTheme
}) {
  const { current } = workspaces
  return (
    // One column that may shrink: a long name must never push the rail wider than itself.
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
              {placesOf(current).map(({ icon: Icon, label, ...place }) => (
                <li key={place.href}>
                  <NavLink {...place} className={placeClass}>
                    <Icon aria-hidden className="size-4 shrink-0" />
                    {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
      <div className="grid shrink-0 grid-cols-[minmax(0,1fr)] gap-px border-t pt-2">
        <NavLink href="/account/notifications" className={placeClass}>
          <Bell aria-hidden className="size-4 shrink-0" />
          Notifications
          {person.unread ? (
            <span className="ml-auto rounded-full border border-accent-line bg-accent-soft px-1.5 font-medium text-link text-xs tabular-nums leading-[18px]">
              {person.unread > 99 ? '99+' : person.unread}
              <span className="sr-only"> unread</span>
            </span>
          ) : null}
        </NavLink>
        <NavLink href="/docs" className={placeClass}>
          <BookOpen aria-hidden className="size-4 shrink-0" />
          Docs
        </NavLink>
        <HelpMenu brand={brand} className={placeClass} />
        <ThemeSwitch {...theme} />
        <AccountMenu person={person} />
      </div>
    </div>
  )
}
