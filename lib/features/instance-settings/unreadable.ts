import { contrast, mix } from '@/lib/base/config/contrast'

/** What buttons lie on, where pages are light and where they are dark; components/ui/tokens.test.ts holds them to the scheme. */
export const buttonGrounds = { light: '#ffffff', dark: '#0f1117' }

/** The least contrast at which the edge of a button is still seen. Its text is read at any: its ink follows the colour. */
const leastContrast = 1.25

/**
 * What cannot be read or seen of a value that is well-formed, and what to choose instead. The environment may say such a value:
 * nobody looks at a page while writing it.
 * @returns a sentence; undefined where nothing is wrong
 */
export function unreadable(name: string, value: string): string | undefined {
  if (name === 'SERVICE_NAME' && value !== '' && !/[\p{L}\p{N}]/u.test(value)) {
    return 'Use at least one letter or digit.'
  }
  if (name !== 'ACCENT_COLOR' || value === '') return undefined
  if (contrast(value, buttonGrounds.light) < leastContrast) {
    return `Buttons in this color would vanish on light pages. Choose a darker one, such as ${nearest(value, '#000000', buttonGrounds.light)}.`
  }
  if (contrast(value, buttonGrounds.dark) < leastContrast) {
    return `Buttons in this color would vanish on dark pages. Choose a lighter one, such as ${nearest(value, '#ffffff', buttonGrounds.dark)}.`
  }
  return undefined
}

/** The first colour on the way to black or white that stands out from a ground. */
function nearest(colour: string, towards: string, ground: string): string {
  const steps = Array.from({ length: 50 }, (_, step) => mix(colour, towards, 1 - step / 50))
  return steps.find((candidate) => contrast(candidate, ground) >= leastContrast) ?? towards
}
