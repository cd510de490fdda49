'use client'
import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn'

/** A menu of actions or places. DropdownMenuTrigger (asChild), then DropdownMenuContent with its items. */
export const DropdownMenu = Primitive.Root
export const DropdownMenuTrigger = Primitive.Trigger

/** The floating list; `align` and `side` as in radix. */
export function DropdownMenuContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          'animate-appear z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-card border border-border-strong bg-overlay p-1 shadow-overlay',
          className,
        )}
        {...rest}
      />
    </Primitive.Portal>
  )
}

/** One entry: pass `asChild` with a link, or `onSelect`. `danger` colours what destroys. */
export function DropdownMenuItem({
  className,
  danger,
  ...rest
}: ComponentProps<typeof Primitive.Item> & { danger?: boolean }) {
  return (
    <Primitive.Item
      className={cn(
        'flex w-full select-none items-center gap-2.5 rounded-control px-2 py-1.5 text-left text-sm outline-none data-highlighted:bg-hover data-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted',
        danger && 'text-danger [&_svg]:text-danger',
        className,
      )}
      {...rest}
    />
  )
}

/** A line between groups. */
export function DropdownMenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-border" />
}
