import type { ReactNode } from 'react'
import { Card } from '../ui/card'
import { Cell, Head, Row, RowHead, Table } from '../ui/table'
import { Code, SchemaText } from './prose'

/**
 * Shows facts in rows under named columns. The first cell is the row's heading. Each row is an anchor named
 * by its `id`.
 */
export function FactsTable({
  caption,
  columns,
  rows,
}: {
  caption: string
  columns: string[]
  rows: { id: string; cells: ReactNode[] }[]
}) {
  return (
    <Card className="overflow-clip text-sm leading-5">
      <Table caption={caption} head={columns.map((column) => <Head key={column}>{column}</Head>)}>
        {rows.map(({ id, cells }) => (
          <Row key={id} id={id} className="scroll-mt-20 target:bg-accent-soft">
            {cells.map((cell, index) => {
              const Part = index === 0 ? RowHead : Cell
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change their order
                <Part key={index} className="min-w-36 align-top max-sm:col-span-full">
                  {cell}
                </Part>
              )
            })}
          </Row>
        ))}
      </Table>
    </Card>
  )
}

/**
 * Lists errors, each with the place where it occurs, its cause, and its fix. Each error is an anchor named by
 * its code.
 */
export function ExplanationList({
  entries,
}: {
  entries: { code: string; where: string; cause: string; mend: string }[]
}) {
  return (
    <Card className="divide-y overflow-clip text-sm leading-5">
      {entries.map(({ code, where, cause, mend }) => (
        <div
          key={code}
          id={code}
          className="grid scroll-mt-20 gap-x-6 gap-y-2 px-4 py-3 target:bg-accent-soft sm:grid-cols-[minmax(0,17rem)_minmax(0,1fr)] sm:px-6"
        >
          <p className="grid content-start justify-items-start gap-1">
            <a href={`#${code}`} className="rounded-[3px] hover:underline">
              <Code>{code}</Code>
            </a>
            <span className="text-[13px] text-muted">{where}</span>
          </p>
          <div className="grid max-w-[72ch] gap-1">
            <p>
              <SchemaText text={cause} />
            </p>
            <p>
              <strong className="font-medium">What to do:</strong> <SchemaText text={mend} />
            </p>
          </div>
        </div>
      ))}
    </Card>
  )
}
