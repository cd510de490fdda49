import { createElement, Fragment, type ReactNode } from 'react'
import { cn } from './cn'

/**
 * Stacks the sections of a page, separated by a hairline. The grid track can shrink, so that a wide table
 * scrolls in its own box.
 */
export function Stack({ children }: { children: ReactNode }) {
  return <div className="stack">{children}</div>
}

/**
 * Stacks the sections of a page on which several forms and actions save separately. Each form and each other
 * section has its own box, so that the buttons in a box apply only to the fields in that box.
 */
export function Boxes({ children }: { children: ReactNode }) {
  return <div className="boxes">{children}</div>
}

/**
 * A gray block in the shape of content that is loading. The block is hidden from screen readers, so the
 * element that contains the blocks must announce "Loading" once.
 */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block h-4 animate-breathe rounded-[5px] bg-selected', className)} />
}

/** Renders one hidden input for each entry of `fields`. */
export const HiddenFields = ({ fields = {} }: { fields?: Record<string, string> | undefined }) =>
  Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)

/** Renders the parts of a catalog message that contains elements. */
export const Message = ({ of }: { of: ReactNode[] }) => createElement(Fragment, null, ...of)
