import { cn } from '../ui/cn'
import { ArrowDown, ArrowUp } from '../ui/icon'
import { Link } from '../ui/link'
import { Head } from '../ui/table'

/** The order of a list: a column, and its direction. */
export type Order<Column extends string> = { column: Column; descending: boolean }

/** The heading of a column by which a list can be sorted. Pressing the heading again reverses the order. */
export function SortHead<Column extends string>({
  column,
  order,
  hrefOf,
  className,
  children,
}: {
  column: Column
  order: Order<Column>
  /** Returns the URL of the list in another order. */
  hrefOf: (order: Order<Column>) => string
  className?: string
  /**
   * The name of the column. On phones, Table shows each row as a block, in which this name is above the value
   * unless the table is `unlabelled`.
   */
  children: string
}) {
  const current = order.column === column
  const Arrow = current && order.descending ? ArrowDown : ArrowUp
  return (
    <Head
      aria-sort={current ? (order.descending ? 'descending' : 'ascending') : undefined}
      className={cn(className)}
    >
      <Link
        href={hrefOf({ column, descending: current && !order.descending })}
        scroll={false}
        className="group inline-flex items-center gap-1 rounded-[3px] hover:text-text"
      >
        {children}
        <Arrow
          aria-hidden
          className={cn(
            'size-3.5',
            !current && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
          )}
        />
      </Link>
    </Head>
  )
}
