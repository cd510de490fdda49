import { createElement, Fragment, type ReactNode } from 'react'
import { cn } from './cn'

/** The sections of a page under each other, parted by a hairline. The track may shrink, so a wide table scrolls in its own box. */
export function Stack({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7 [&>*:not(header,[role=status],[hidden])+*:not(nav,[role=status])]:border-t [&>*:not(header,[role=status],[hidden])+*:not(nav,[role=status])]:pt-7">
      {children}
    </div>
  )
}

/** A grey block in the shape of what is loading; hidden from screen readers (say "Loading" once, on the list). */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block h-4 animate-breathe rounded-[5px] bg-selected', className)} />
}

/** What a form sends along unseen, by the names of its inputs. */
export const HiddenFields = ({ fields = {} }: { fields?: Record<string, string> | undefined }) =>
  Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)

/** A sentence of the catalogs with elements in it, from its pieces. */
export const Worded = ({ of }: { of: ReactNode[] }) => createElement(Fragment, null, ...of)
