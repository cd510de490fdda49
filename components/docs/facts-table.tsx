import type { ReactNode } from 'react'
import { Card } from '../ui/card'
import { Cell, Head, Row, Table } from '../ui/table'

/** Rows of facts under named columns; the first column names the row. */
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
            {cells.map((cell, index) => (
              <Cell
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change their order
                key={index}
                className="min-w-36 align-top max-sm:col-span-full"
              >
                {cell}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </Card>
  )
}
