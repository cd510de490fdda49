import {
  Children,
  type ComponentProps,
  type CSSProperties,
  Fragment,
  isValidElement,
  type ReactNode,
} from 'react'
import { cn } from './cn'

/**
 * A table. `caption` names the table for screen readers. On a phone, each row is a block (`table-of-blocks`
 * in globals.css). The first cell is the title of the block, and the other cells follow with the names of
 * their columns. A wide cell spans the block with `max-sm:col-span-full`, and `unlabelled` omits the column
 * names. If the table is still too wide, it scrolls sideways in its own box. The box is a tab stop unless
 * components/page-scripts/scroll.ts finds that the table fits. The box must not have the table's name, or
 * screen readers would read the name twice. Use Head, Row, RowHead, and Cell inside. Except in blocks,
 * `numeric` aligns a cell right and prevents line breaks. The styles of cells are in app/components.css,
 * because classes on each cell would make up most of a long list's HTML.
 */
export function Table({
  caption,
  head,
  unlabelled = false,
  className,
  children,
}: {
  caption: string
  /** The header cells, as `<Head>`s. */
  head: ReactNode
  unlabelled?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the box groups no fields
    <div
      data-scrolls
      // /scroll.js might have changed the attributes before React hydrates the page. React would report the
      // difference.
      suppressHydrationWarning
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label="Scrolls sideways"
      className={cn('relative overflow-x-auto', className)}
    >
      <table
        className="table-of-blocks w-full border-collapse text-left"
        style={unlabelled ? undefined : columnNames(head)}
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="bg-raised">{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      <script src="/scroll.js" async />
    </div>
  )
}

/**
 * Returns the column names that a block shows above its cells, as CSS variables: `--column-1`, `--column-2`,
 * and so on. The value is `none` if the name is hidden (`srOnly`), empty, or not plain text.
 */
function columnNames(head: ReactNode): CSSProperties {
  const heads =
    isValidElement<{ children?: ReactNode }>(head) && head.type === Fragment ? head.props.children : head
  const names = Children.toArray(heads).map((each, index) => {
    const props = isValidElement<ComponentProps<typeof Head>>(each) ? each.props : {}
    const named = !props.srOnly && typeof props.children === 'string' && props.children !== ''
    return [`--column-${index + 1}`, named ? JSON.stringify(props.children) : 'none']
  })
  return Object.fromEntries(names)
}

/** The name of a column. `srOnly` shows the name only to screen readers, for columns of buttons. */
export function Head({
  srOnly,
  numeric,
  className,
  children,
  ...rest
}: ComponentProps<'th'> & { srOnly?: boolean; numeric?: boolean }) {
  return (
    <th scope="col" className={cn(numeric && 'numeric', className)} {...rest}>
      {srOnly ? <span className="sr-only">{children}</span> : children}
    </th>
  )
}

/** One entry of a table. */
export function Row({ className, ...rest }: ComponentProps<'tr'>) {
  return <tr className={className} {...rest} />
}

/** The cell that names its row for screen readers, in the style of the other cells. */
export const RowHead = (cell: ComponentProps<'th'>) => <th scope="row" {...cell} />

/**
 * One value. `muted` is for secondary values, and `numeric` is for numbers and row actions (aligned right).
 */
export function Cell({
  numeric,
  muted,
  className,
  ...rest
}: ComponentProps<'td'> & { numeric?: boolean; muted?: boolean }) {
  return (
    <td
      className={numeric || muted ? cn(numeric && 'numeric', muted && 'text-muted', className) : className}
      {...rest}
    />
  )
}
