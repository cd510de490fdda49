import { describe, expect, it } from 'vitest'
import { measureText, splitLetters } from './mark'

describe('measuring text without its face', () => {
  it('adds up the published widths', () => {
    expect(measureText('Login')).toEqual({ width: 611 + 611 + 611 + 278 + 611, exact: true })
    expect(measureText('')).toEqual({ width: 0, exact: true })
  })

  it('knows every printable ASCII character', () => {
    for (let code = 32; code < 127; code++) {
      const character = String.fromCharCode(code)
      expect(measureText(character).exact, character).toBe(true)
    }
  })

  it('takes a letter with accents for the letter alone, however they are written', () => {
    for (const text of ['\u00e9', 'e\u0301', 'e\u0301\u0302\u0303']) {
      expect(measureText(text)).toEqual({ width: 556, exact: true })
    }
  })

  it.each(['Ключ', '鍵', 'مفتاح', 'कुंजी', '🔑'])('gives %s more room than Latin letters need', (text) => {
    const { width, exact } = measureText(text)
    expect(exact).toBe(false)
    expect(width / splitLetters(text).length).toBeGreaterThan(650)
  })
})
