import { ChevronsUpDown, LogOut, ShieldCheck, UserRound } from 'lucide-react'
import Link from 'next/link'
import { Avatar } from '../ui/avatar'
import type { FramePerson } from './frame-types'
import { PopMenu, popItem } from './pop-menu'

/** The signed-in person at the foot of the rail: account settings, the operator's pages, and the way out. */
export function AccountMenu({ person }: { person: FramePerson }) {
  return (
    <PopMenu
      summaryClass="flex w-full min-w-0 cursor-pointer select-none items-center gap-2.5 rounded-control px-2 py-1.5 text-left hover:bg-hover group-open:bg-hover"
      popClass="bottom-[calc(100%+6px)] left-0 w-full"
      summary={
        <>
          <span className="sr-only">Account</span>
          <Avatar name={person.name} id={person.id} src={person.avatarUrl} />
          <span className="grid min-w-0 flex-1">
            <bdi className="truncate font-medium leading-[18px]">{person.name}</bdi>
            <span className="truncate text-muted text-xs leading-4">{person.email}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </>
      }
    >
      <Link href="/account/profile" className={popItem}>
        <UserRound aria-hidden /> Account settings
      </Link>
      {person.operator && (
        <Link href="/operator" className={popItem}>
          <ShieldCheck aria-hidden /> Instance admin
        </Link>
      )}
      <form action="/logout" method="post" className="mt-1 border-t pt-1">
        <button type="submit" className={popItem}>
          <LogOut aria-hidden /> Sign out
        </button>
      </form>
    </PopMenu>
  )
}
