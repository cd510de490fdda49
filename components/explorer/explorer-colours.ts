import { accentTokens } from '../ui/accent'
import { dark, light } from '../ui/tokens'

/** What GraphiQL's style sheet reads its colours from, wherever it puts a pane or a menu. */
const places = [
  ...['.graphiql-container', '.graphiql-dialog', '.graphiql-dialog-overlay', '.graphiql-tooltip'],
  ...['[data-radix-popper-content-wrapper]', '.CodeMirror-info', '.CodeMirror-lint-tooltip', 'reach-portal'],
]

const fonts = `--font-family: "Inter Variable", "Inter Fallback", system-ui, sans-serif;
--font-family-mono: "JetBrains Mono Variable", "JetBrains Mono Fallback", ui-monospace, monospace;`

/**
 * GraphiQL in the product's colours, as a style sheet: light, and dark where the system or the person has it so.
 * @param accent the operator's colour
 */
export function explorerColours(accent?: string): string {
  const of = accentTokens(accent)
  const rule = (root: string, colours: string) =>
    `${places.map((place) => `${root} ${place}`).join(',')}{${colours}${fonts}}`
  const [inLight, inDark] = [variables(light, of.light.link), variables(dark, of.dark.link)]
  return [
    rule(':root body', inLight),
    `@media (prefers-color-scheme: dark){${rule(':root:not([data-theme=light]) body', inDark)}}`,
    rule(':root[data-theme=dark] body', inDark),
  ].join('\n')
}

const variables = (scheme: typeof light, link: string) =>
  Object.entries({
    primary: link,
    secondary: scheme.info,
    tertiary: scheme.success,
    info: scheme.info,
    success: scheme.success,
    warning: scheme.warning,
    error: scheme.danger,
    neutral: scheme.text,
    base: scheme.surface,
  })
    .map(([name, colour]) => `--color-${name}: ${asHsl(colour)};`)
    .join('')

/** `#rrggbb` as hue, saturation and lightness, which GraphiQL puts into hsl() and hsla(). */
export function asHsl(colour: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ]
  const [least, most] = [Math.min(r, g, b), Math.max(r, g, b)]
  const [range, lightness] = [most - least, (most + least) / 2]
  if (range === 0) return `0, 0%, ${percent(lightness)}`
  const saturation = range / (1 - Math.abs(2 * lightness - 1))
  const sixth =
    most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4
  return `${Math.round(sixth * 60)}, ${percent(saturation)}, ${percent(lightness)}`
}

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`
