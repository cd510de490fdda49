import { expect } from 'vitest'
import type { NumberedPage, NumberedRows } from '@/lib/base/db/paging'
import { countStatements } from './count-statements'

/** Reads a page of a list of the console, of what holds a text. */
export type ReadList = (page: NumberedPage, text: string) => Promise<NumberedRows<{ name: string }>>

/**
 * Leafs from the first page to the last, 25 rows at a time.
 * @param most statements that a page takes at most
 * @returns all names, in the order they were shown
 */
export async function walkList(read: ReadList, text = '', most = 1): Promise<string[]> {
  const names: string[] = []
  for (let number = 1; ; number++) {
    const { value: page, statements } = await countStatements(() => read({ number, size: 25 }, text))
    expect(statements.length).toBeLessThanOrEqual(most)
    names.push(...page.rows.map(({ name }) => name))
    if (number * 25 >= page.total) return names
  }
}

/** Two hundred names: "Team 1" to "Team 200". */
export const twoHundred = (name: string): string[] =>
  Array.from({ length: 200 }, (_, at) => `${name} ${at + 1}`)

/** A page of rows that are called something else. */
export const titled = <Row>(page: NumberedRows<Row>, name: (row: Row) => string) => ({
  ...page,
  rows: page.rows.map((row) => ({ name: name(row) })),
})
