import { cn } from './cn'

/** A grey block in the shape of what is loading; hidden from screen readers (say "Loading" once, on the list). */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block h-4 animate-breathe rounded-[5px] bg-selected', className)} />
}
