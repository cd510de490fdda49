import { expect } from 'vitest'
import type { NumberedPage, NumberedRows } from '@/lib/base/db/paging'
import { countStatements } from './count-statements'

/** A function that reads a page of a console list, filtered by a text. */
export type ReadList = (page: NumberedPage, text: string) => Promise<NumberedRows<{ name: string }>>

/**
 * Reads all pages of a list, 25 rows per page, and checks the number of statements for each page.
 * @param most the maximum number of statements per page
 * @returns all names in the order of the list
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

/** Returns two hundred names, such as "Team 1" to "Team 200" for the name "Team". */
export const twoHundredNames = (name: string): string[] =>
  Array.from({ length: 200 }, (_, at) => `${name} ${at + 1}`)

/** Returns a page of a list with each row reduced to its name. */
export const namedRows = <Row>(page: NumberedRows<Row>, name: (row: Row) => string) => ({
  ...page,
  rows: page.rows.map((row) => ({ name: name(row) })),
})
