import { expect, it } from 'vitest'
import { printable, shortened } from './routes'

it.each([
  ['https://app.example/cb', 'https://app.example/cb'],
  ['https://app.example/“cb”', 'https://app.example/%E2%80%9Ccb%E2%80%9D'],
  ['a"b\\c\n\u202e\ud83d\ude00', 'a%22b%5Cc%0A%E2%80%AE%F0%9F%98%80'],
  ['half \ud83d of a pair', 'half %EF%BF%BD of a pair'],
])(
  'given %j, printable percent-encodes only quotation marks, backslashes, and characters other than printable ASCII',
  (sent, shown) => expect(printable(sent)).toBe(shown),
)

it('shortened truncates values of more than 200 characters and adds an ellipsis', () => {
  expect(shortened('x'.repeat(200))).toBe('x'.repeat(200))
  expect(shortened('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`)
})
