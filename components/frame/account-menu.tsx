'use client'
import { ChevronsUpDown, LogOut, ShieldCheck, UserRound } from 'lucide-react'
import Link from 'next/link'
import { Avatar } from '../ui/avatar'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu'
import type { FramePerson } from './frame-types'

/** The signed-in person at the foot of the rail: account settings, the operator's pages, and the way out. */
export function AccountMenu({ person }: { person: FramePerson }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex w-full min-w-0 items-center gap-2.5 rounded-control px-2 py-1.5 text-left hover:bg-hover data-[state=open]:bg-hover">
        <span className="sr-only">Account</span>
        <Avatar name={person.name} id={person.id} src={person.avatarUrl} />
        <span className="grid min-w-0 flex-1">
          <bdi className="truncate font-medium leading-[18px]">{person.name}</bdi>
          <span className="truncate text-muted text-xs leading-4">{person.email}</span>
        </span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" side="top" className="w-(--radix-dropdown-menu-trigger-width)">
        <DropdownMenuItem asChild>
          <Link href="/account/profile">
            <UserRound aria-hidden /> Account settings
          </Link>
        </DropdownMenuItem>
        {person.operator && (
          <DropdownMenuItem asChild>
            <Link href="/operator">
              <ShieldCheck aria-hidden /> Instance admin
            </Link>
          </DropdownMenuItem>
        )}
        <DropdownMenuSeparator />
        <form action="/logout" method="post">
          {/* The menu closes on select and takes the form away with it, so the press itself submits first. */}
          <DropdownMenuItem asChild onSelect={(event) => event.preventDefault()}>
            <button type="submit">
              <LogOut aria-hidden /> Sign out
            </button>
          </DropdownMenuItem>
        </form>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
