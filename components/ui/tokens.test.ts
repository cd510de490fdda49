import { describe, expect, it } from 'vitest'
import { contrast } from '@/lib/base/config/contrast'
import { buttonGrounds } from '@/lib/features/instance-settings/change-settings'
import { accentTokens, defaultAccent } from './accent'
import { dark, light, type Scheme } from './tokens'

const schemes: [string, Scheme][] = [
  ['light', light],
  ['dark', dark],
]

describe.each(schemes)('the %s color scheme', (_name, scheme) => {
  const grounds = ['background', 'surface', 'raised', 'sunken', 'overlay'] as const
  const texts = ['text', 'muted', 'faint', 'danger', 'warning', 'success', 'info'] as const

  it.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))(
    'has enough contrast between the colors %s and %s',
    (text, ground) => expect(contrast(scheme[text], scheme[ground])).toBeGreaterThanOrEqual(4.5),
  )

  it.each(['danger', 'warning', 'success', 'info'] as const)(
    'has enough contrast between the soft fill of %s and text in that color or in the default color',
    (status) => {
      expect(contrast(scheme[status], scheme[`${status}-soft`])).toBeGreaterThanOrEqual(4.5)
      expect(contrast(scheme.text, scheme[`${status}-soft`])).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('keeps white text readable on a danger button', () => {
    expect(contrast('#ffffff', scheme['danger-fill'])).toBeGreaterThanOrEqual(4.5)
  })

  it('keeps the border of a field visible', () => {
    expect(contrast(scheme.control, scheme.surface)).toBeGreaterThanOrEqual(3)
    expect(contrast(scheme.control, scheme.background)).toBeGreaterThanOrEqual(3)
  })
})

describe('the accent color', () => {
  const steps = [0, 51, 102, 119, 153, 204, 255]
  const hex = (byte: number) => byte.toString(16).padStart(2, '0')
  const every = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${hex(r)}${hex(g)}${hex(b)}`)))

  it('keeps text, links, and focus rings readable in both schemes, regardless of its value', () => {
    for (const accent of [defaultAccent, ...every]) {
      const tokens = accentTokens(accent)
      for (const [name, scheme] of schemes) {
        const own = name === 'light' ? tokens.light : tokens.dark
        expect(contrast(own['accent-text'], own.accent), accent).toBeGreaterThanOrEqual(4.5)
        expect(contrast(scheme.text, own['accent-soft']), accent).toBeGreaterThanOrEqual(4.5)
        for (const ground of [scheme.background, scheme.surface, scheme.raised, own['accent-soft']]) {
          expect(contrast(own.link, ground), accent).toBeGreaterThanOrEqual(4.5)
          expect(contrast(own.focus, ground), accent).toBeGreaterThanOrEqual(3)
        }
      }
    }
  })

  it('is used unchanged for links if it is readable', () => {
    expect(accentTokens('#4F46E5').light.link).toBe('#4f46e5')
  })

  it('is replaced with the default if the setting is not a hexadecimal color', () => {
    expect(accentTokens('chartreuse')).toEqual(accentTokens(defaultAccent))
    expect(accentTokens('#fff').light.accent).toBe('#ffffff')
  })
})

it('an accent color is checked against the surface colors of both schemes', () => {
  expect(buttonGrounds).toEqual({ light: light.surface, dark: dark.surface })
})
