import { expect, it } from 'vitest'
import { light } from '../ui/tokens'
import { asHsl, explorerColours } from './graphql-explorer'

it.each([
  ['#ffffff', '0, 0%, 100%'],
  ['#000000', '0, 0%, 0%'],
  ['#ff0000', '0, 100%, 50%'],
  ['#00ff00', '120, 100%, 50%'],
  ['#4f46e5', '243, 75.4%, 58.6%'],
])('the color %s is converted to the HSL values %s', (hex, hsl) => expect(asHsl(hex)).toBe(hsl))

it('the explorer uses the product’s surface color, and adjusts the instance’s accent color for contrast', () => {
  const css = explorerColours('#ffff00')
  expect(css).toContain(`--color-base: ${asHsl(light.surface)};`)
  expect(css).not.toContain(`--color-primary: ${asHsl('#ffff00')};--color-secondary: ${asHsl(light.info)}`)
  expect(css).toContain('prefers-color-scheme: dark')
})
