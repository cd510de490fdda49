/**
 * Characters by which a spreadsheet takes a cell for a formula (OWASP, CSV injection), full-width forms included. Names come
 * from people, so a name could otherwise run something at whoever opens the file.
 */
const startsFormula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** A cell: an apostrophe in front of what a spreadsheet would calculate, quotes where RFC 4180 asks for them. */
function cell(value: string): string {
  const inert = startsFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** One line of CSV (RFC 4180), with the line break it ends in. */
export const csvLine = (values: readonly string[]): string => `${values.map(cell).join(',')}\r\n`
