import { expect, it } from 'vitest'
import { csvLine } from './export-events'

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1'])(
  'csvLine adds an apostrophe before %j, so that a spreadsheet does not evaluate it',
  (value) => {
    expect(csvLine([value]).replace(/^"/, '')).toMatch(/^'/)
  },
)

it('csvLine adds the quotes that RFC 4180 requires, and leaves other values unchanged', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\r\nlines', '', 'Zoë 李'])).toBe(
    'plain,"a,b","say ""hi""","two\r\nlines",,Zoë 李\r\n',
  )
  expect(csvLine(['=HYPERLINK("https://evil.test","x")'])).toBe(
    `"'=HYPERLINK(""https://evil.test"",""x"")"\r\n`,
  )
})

it('csvLine adds no apostrophe if a formula character is only in the middle of the text', () => {
  expect(csvLine(['a=b-c', '2026-11-22'])).toBe('a=b-c,2026-11-22\r\n')
})
