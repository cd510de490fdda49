'use client'
import { ChevronRight } from '../ui/icon'
import { Cell, Head, Row, Table } from '../ui/table'

/**
 * The periods of a chart, oldest first: for each one, the `dateTime` of its `<time>` element and its name,
 * such as "21 Nov".
 */
export type Periods = { dateTimes: readonly string[]; names: readonly string[] }

/**
 * Shows the data of charts as a table that opens on demand, newest period first. A value is muted if it has
 * no digit other than 0. The table is a client component: in addition to the table's HTML, the server sends
 * only the table's data. For a server component, the server would send the rendered rows for React, which are
 * ten times as large as the data.
 * @param time the heading of the first column
 * @param columns the name of each column, and its values in the order of the periods
 */
export function FiguresTable({
  caption,
  time,
  periods: { dateTimes, names },
  columns,
}: {
  caption: string
  time: string
  periods: Periods
  columns: readonly { label: string; texts: readonly string[] }[]
}) {
  return (
    <details className="group min-w-0">
      <summary className="flex w-fit list-none items-center gap-1 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 text-muted group-open:rotate-90" />
        Figures as a table
      </summary>
      <div className="mt-3 overflow-clip rounded-control border">
        <Table
          caption={caption}
          className="figures"
          head={
            <>
              <Head>{time}</Head>
              {columns.map(({ label }) => (
                <Head key={label} numeric>
                  {label}
                </Head>
              ))}
            </>
          }
        >
          {dateTimes
            .map((dateTime, at) => (
              <Row key={dateTime}>
                <Cell>
                  <time dateTime={dateTime}>{names[at]}</time>
                </Cell>
                {columns.map(({ label, texts }) => (
                  <Cell key={label} {...(/[1-9]/.test(texts[at] ?? '') && { className: 'text-text' })}>
                    {texts[at]}
                  </Cell>
                ))}
              </Row>
            ))
            .reverse()}
        </Table>
      </div>
    </details>
  )
}
