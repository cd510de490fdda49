'use client'
import type { ReactNode } from 'react'
import { Avatar } from '../ui/avatar'
import { ChevronRight } from '../ui/icon'
import { Link } from '../ui/link'
import { PlaceMenu, type PlaceMenuProps } from './place-menu'

/** An entry that opens a page, such as a workspace, a project, or an app. */
export type ListedPlace = {
  id: string
  name: string
  href: string
  logoUrl?: string | null | undefined
  logoDarkUrl?: string | null | undefined
  /** A line under the name. */
  about?: ReactNode
  badge?: ReactNode
  /** The content at the right, such as the creation date or the user's role. */
  aside?: ReactNode
  /**
   * The kind of the entry, and the path with which the paths of its pages begin. If omitted, the row has no
   * menu.
   */
  menu?: Pick<PlaceMenuProps, 'kind' | 'address'>
}

/** The space at the end of a row for the menu and, in an app's row, for the shortcut. */
const paddings = {
  project: '[&>a:first-child]:pr-14',
  app: '[&>a:first-child]:pr-14 sm:[&>a:first-child]:pr-24',
}

/** Lists entries as rows with an avatar. Long names do not change the height of a row. */
export function PlaceList({ label, places }: { label: string; places: readonly ListedPlace[] }) {
  return (
    <ul aria-label={label}>
      {places.map(({ id, name, href, logoUrl, logoDarkUrl, about, badge, aside, menu }) => (
        <li key={id} className={`relative border-b last:border-b-0 ${menu ? paddings[menu.kind] : ''}`}>
          <Link
            href={href}
            title={name}
            className="group flex min-h-14 min-w-0 items-center gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
          >
            <Avatar name={name} id={id} src={logoUrl} darkSrc={logoDarkUrl} shape="square" />
            <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)]">
              <span className="flex min-w-0 items-center gap-2">
                <bdi className="truncate font-medium">{name}</bdi>
                {badge}
              </span>
              {about && <span className="truncate text-[13px] text-muted">{about}</span>}
            </span>
            {aside && (
              <span className="shrink-0 text-right text-[13px] text-muted max-sm:max-w-[40%]">{aside}</span>
            )}
            {!menu && (
              <ChevronRight className="size-4 shrink-0 text-faint group-hover:text-text max-sm:hidden" />
            )}
          </Link>
          {menu && (
            <span className="absolute inset-y-0 right-3 flex items-center">
              <PlaceMenu {...menu} id={id} name={name} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
