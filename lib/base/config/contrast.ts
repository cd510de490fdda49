/** WCAG 2 contrast arithmetic on sRGB hex colours: pure, so the tokens can be tested and not assumed. */
type Rgb = readonly [number, number, number]

/** Reads `#rgb` or `#rrggbb`; anything else is null, so a mistyped setting can fall back. */
export function parseHex(colour: string): Rgb | null {
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour.trim())?.[1]
  if (!hex) return null
  const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as unknown as Rgb
}

function toRgb(colour: string): Rgb {
  const rgb = parseHex(colour)
  if (!rgb) throw new TypeError(`not a hex colour: ${colour}`)
  return rgb
}

function luminance(colour: string): number {
  const [r, g, b] = toRgb(colour).map((byte) => {
    const channel = byte / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast ratio of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dim, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}

/** `share` of `colour` over `base`, as CSS `color-mix(in srgb, ...)` computes it. */
export function mix(colour: string, base: string, share: number): string {
  const [over, under] = [toRgb(colour), toRgb(base)]
  const bytes = over.map((byte, at) => Math.round(byte * share + (under[at] ?? 0) * (1 - share)))
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** White or black, whichever is read better on a colour. One of them always reaches 4.5: the worst grey for white is a good one for black. */
export const inkOn = (colour: string): string =>
  contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000'
