import { cn } from './cn'

/** A grey block in the shape of what is loading; hidden from screen readers (say "Loading" once, on the list). */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block h-4 animate-breathe rounded-[4px] bg-raised', className)} />
}

/** The loading state of a list of `rows` entries: a line of text, a second line, and something at the right. */
export function SkeletonRows({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }) {
  const widths = ['w-40', 'w-56', 'w-32', 'w-48', 'w-36']
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, at) => `row-${at}`).map((key, at) => (
        <div
          key={key}
          className="flex items-center justify-between gap-4 border-b px-4 py-3.5 last:border-b-0 sm:px-6"
        >
          <div className="grid gap-2">
            <Skeleton className={widths[at % widths.length]} />
            <Skeleton className="h-3 w-24" />
          </div>
          <Skeleton className="w-16" />
        </div>
      ))}
    </div>
  )
}
