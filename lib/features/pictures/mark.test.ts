import fs from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawIcon, measureText, splitLetters } from './mark'

describe('the files in public/', () => {
  const icon = drawIcon({ serviceName: 'Latchkey', accent: '#4f46e5', accentText: '#ffffff' })

  it('include a logo and a favicon that show the default mark', async () => {
    expect(fs.readFileSync('public/logo.svg', 'utf8')).toBe(icon)
    const favicon = fs.readFileSync('public/favicon.ico')
    // The header of an icon file with one image.
    expect(favicon.subarray(0, 6)).toEqual(Buffer.from([0, 0, 1, 0, 1, 0]))
    const stored = sharp(favicon.subarray(favicon.readUInt32LE(18)))
    expect(await stored.metadata()).toMatchObject({ format: 'png', width: 32, height: 32 })
    const drawn = sharp(Buffer.from(icon), { density: 144 }).resize(32, 32)
    const pixels = (image: Sharp) => image.ensureAlpha().raw().toBuffer()
    const [one, other] = await Promise.all([pixels(stored), pixels(drawn)])
    expect(one.length).toBe(other.length)
    expect(one.every((value, at) => Math.abs(value - (other[at] as number)) < 8)).toBe(true)
  })

  it('include a robots.txt that disallows crawlers by default, but allows them to read the documentation', () => {
    const lines = fs.readFileSync('public/robots.txt', 'utf8').split('\n')
    expect(lines).toContain('Allow: /docs')
    expect(lines).toContain('Disallow: /')
  })
})

describe('measureText', () => {
  it('returns the sum of the characters’ published widths', () => {
    expect(measureText('Login')).toEqual({ width: 611 + 611 + 611 + 278 + 611, exact: true })
    expect(measureText('')).toEqual({ width: 0, exact: true })
  })

  it('returns exact widths for all printable ASCII characters', () => {
    for (let code = 32; code < 127; code++) {
      const character = String.fromCharCode(code)
      expect(measureText(character).exact, character).toBe(true)
    }
  })

  it('gives a composed or decomposed accented letter the width of its base letter', () => {
    for (const text of ['\u00e9', 'e\u0301', 'e\u0301\u0302\u0303']) {
      expect(measureText(text)).toEqual({ width: 556, exact: true })
    }
  })

  it.each(['Ключ', '鍵', 'مفتاح', 'कुंजी', '🔑'])(
    'reserves more than the width of a typical Latin letter for each letter of %s',
    (text) => {
      const { width, exact } = measureText(text)
      expect(exact).toBe(false)
      expect(width / splitLetters(text).length).toBeGreaterThan(650)
    },
  )
})
