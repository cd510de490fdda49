import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Breakable } from './breakable'

const shown = (text: string) => renderToStaticMarkup(<Breakable text={text} />)
const lines = (text: string) =>
  shown(text)
    .replaceAll('<wbr/>', '|')
    .replace(/<[^>]+>/g, '')

describe('Breakable', () => {
  it.each([
    ['christine.darden@example.com', 'christine.|darden@|example.|com'],
    ['postgresql://postgres@db:5432/app', 'postgresql://|postgres@|db:|5432/|app'],
    ['2001:db8:85a3::8a2e', '2001:|db8:|85a3::|8a2e'],
    ['https://example.com/hook?id=7', 'https://|example.|com/|hook?|id=|7'],
    ['LATCHKEY_SETTINGS', 'LATCHKEY_|SETTINGS'],
  ])('breaks %s after its punctuation', (text, broken) => expect(lines(text)).toBe(broken))

  it.each(['Signed in at 14:02:33, version 2.0.1.', 'Ada Lovelace', ''])(
    'leaves other text as it is: %s',
    (text) => expect(shown(text)).toBe(text),
  )

  it('leaves very long words as they are', () => {
    const word = `a${'.'.repeat(2000)}b`
    expect(shown(word)).toBe(word)
  })

  it('keeps the text of a sentence, and isolates only the email address in it', () => {
    const isolated = '<bdi class="inline-block max-w-full wrap-anywhere">ada@<wbr/>example.<wbr/>com</bdi>'
    expect(shown('Is ada@example.com\nyours?')).toBe(`Is ${isolated}\nyours?`)
    expect(shown('تحقق من بريد (ada@example.com)، ثم أرسل إلى ada@example.com.')).toBe(
      `تحقق من بريد (${isolated})، ثم أرسل إلى ${isolated}.`,
    )
    expect(lines('次はada@example.comです')).toBe('次はada@|example.|comです')
  })
})
