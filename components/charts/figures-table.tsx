import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { addressOf } from '@/lib/edges/web/console/list-page'
import { segment, segments } from '../ui/cn'
import { Cell, Head, Row, Table } from '../ui/table'

/** The figures of one period. */
type FiguresRow = {
  /** The period as the value of `<time>`, and as text. */
  dateTime: string
  name: string
  cells: readonly { text: string; muted: boolean }[]
}

/**
 * Shows the data of charts as a table that opens on demand.
 * @param time the heading of the first column
 * @param rows oldest first; the table shows the newest first
 */
export function FiguresTable({
  caption,
  time,
  columns,
  rows,
}: {
  caption: string
  time: string
  columns: readonly string[]
  rows: readonly FiguresRow[]
}) {
  return (
    <details className="group min-w-0">
      <summary className="flex w-fit list-none items-center gap-1 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-muted group-open:rotate-90" />
        Figures as a table
      </summary>
      <div className="mt-3 overflow-clip rounded-control border">
        <Table
          caption={caption}
          head={
            <>
              <Head>{time}</Head>
              {columns.map((label) => (
                <Head key={label} numeric>
                  {label}
                </Head>
              ))}
            </>
          }
        >
          {rows.toReversed().map(({ dateTime, name, cells }) => (
            <Row key={dateTime}>
              <Cell className="whitespace-nowrap">
                <time dateTime={dateTime}>{name}</time>
              </Cell>
              {cells.map(({ text, muted }, at) => (
                <Cell key={columns[at]} numeric muted={muted}>
                  {text}
                </Cell>
              ))}
            </Row>
          ))}
        </Table>
      </div>
    </details>
  )
}

/**
 * Selects the period of charts with links, so that no JavaScript is needed. @param path the path of the page, to which
 * `?range=` and `kept` are added
 */
export const RangeNav = <Range extends string>({
  path,
  ranges,
  range,
  kept = {},
}: {
  path: string
  ranges: Readonly<Record<Range, { label: string }>>
  /** The selected period. */
  range: Range
  /** The other parameters of the page. */
  kept?: Record<string, string>
}) => (
  <nav aria-label="Time" className={segments}>
    {(Object.keys(ranges) as Range[]).map((choice) => (
      <Link
        key={choice}
        href={addressOf(path, { ...kept, range: choice })}
        scroll={false}
        aria-current={choice === range ? 'page' : undefined}
        className={segment}
      >
        {ranges[choice].label}
      </Link>
    ))}
  </nav>
)
