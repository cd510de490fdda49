/**
 * Functions for the WCAG 2 contrast of sRGB hex colors. The functions do not depend on the settings, so that
 * tests can also use them to check the design tokens.
 */

type Rgb = readonly [number, number, number]

/**
 * Parses `#rgb` or `#rrggbb`, and ignores surrounding whitespace. The `#` can be omitted. Returns null for
 * any other text, so that callers can replace a mistyped setting with the default.
 */
export function parseHex(color: string): Rgb | null {
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color.trim())?.[1]
  if (!hex) return null
  const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as unknown as Rgb
}

function toRgb(color: string): Rgb {
  const rgb = parseHex(color)
  if (!rgb) throw new TypeError(`not a hex color: ${color}`)
  return rgb
}

function luminance(color: string): number {
  const [r, g, b] = toRgb(color).map((byte) => {
    const channel = byte / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the contrast ratio of two colors, from 1 to 21. @throws TypeError if a color is not a hex color */
export function contrast(one: string, other: string): number {
  const [dim, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}

/**
 * Mixes a color into a base color, like CSS `color-mix(in srgb, ...)`, and returns the result as `#rrggbb`.
 * @param share the share of `color` in the result, from 0 to 1
 * @throws TypeError if a color is not a hex color
 */
export function mixColors(color: string, base: string, share: number): string {
  const [over, under] = [toRgb(color), toRgb(base)]
  const bytes = over.map((byte, at) => Math.round(byte * share + (under[at] ?? 0) * (1 - share)))
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/**
 * Returns white or black, depending on which has more contrast with the given color. The contrast is always
 * at least 4.5.
 */
export const textColorOn = (color: string): string =>
  contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000'
