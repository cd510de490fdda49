'use client'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import Link from 'next/link'
import { Avatar } from '../ui/avatar'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu'
import type { FrameWorkspace } from './frame-types'

/** Which workspace the rail speaks of, and the way to another. `current` is absent on account pages. */
export function WorkspaceSwitcher({
  current,
  workspaces,
}: {
  current?: FrameWorkspace | undefined
  workspaces: FrameWorkspace[]
}) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex w-full min-w-0 items-center gap-2.5 rounded-control border border-border-strong bg-surface px-2 py-1.5 text-left hover:bg-hover data-[state=open]:bg-hover">
        <Avatar name={current?.name ?? '+'} src={current?.logoUrl} size="small" shape="square" />
        {current && <span className="sr-only">Workspace</span>}
        <span className="min-w-0 flex-1 truncate font-medium">{current?.name ?? 'Workspaces'}</span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-(--radix-dropdown-menu-trigger-width)">
        <DropdownMenuLabel>Workspaces</DropdownMenuLabel>
        {workspaces.map((workspace) => (
          <DropdownMenuItem key={workspace.slug} asChild>
            <Link href={`/workspaces/${workspace.slug}`}>
              <Avatar name={workspace.name} src={workspace.logoUrl} size="small" shape="square" />
              <span className="min-w-0 flex-1 truncate">{workspace.name}</span>
              {workspace.slug === current?.slug ? (
                <Check aria-label="current" />
              ) : (
                workspace.role && <span className="text-muted text-xs">{workspace.role}</span>
              )}
            </Link>
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link href="/workspaces/new">
            <Plus aria-hidden /> New workspace
          </Link>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
