// The imports are relative, because Tailwind loads this file for its configuration and does not support the
// aliases of tsconfig.json.
import { contrast, mixColors, parseHex, textColorOn } from '../../lib/base/config/contrast'
import { dark, light, type Scheme } from './tokens'

export const defaultAccent = '#4f46e5'

/** One color scheme's tokens that are derived from the instance admin's accent color. */
export type AccentTokens = Record<
  'accent' | 'accent-text' | 'accent-soft' | 'accent-line' | 'link' | 'focus' | 'chart-1',
  string
>

/**
 * Returns a color moved toward `towards`, in small steps, until it has enough contrast with every given
 * background. If no step suffices, returns `towards` itself. An instance admin can choose any color, such as
 * a pale yellow, and text and focus rings must stay readable.
 */
function readable(color: string, grounds: string[], ratio: number, towards: string): string {
  for (let share = 1; share > 0; share -= 0.04) {
    const candidate = mixColors(color, towards, share)
    if (grounds.every((ground) => contrast(candidate, ground) >= ratio)) return candidate
  }
  return towards
}

function derive(accent: string, scheme: Scheme, towards: string): AccentTokens {
  const isLight = towards === '#000000'
  const soft = mixColors(accent, scheme.surface, isLight ? 0.07 : 0.16)
  const grounds = [scheme.background, scheme.surface, scheme.raised, soft]
  return {
    accent,
    'accent-text': textColorOn(accent),
    'accent-soft': soft,
    'accent-line': mixColors(accent, scheme.surface, isLight ? 0.28 : 0.45),
    link: readable(accent, grounds, 4.5, towards),
    focus: readable(accent, grounds, 3, towards),
    'chart-1': readable(accent, [scheme.surface], 3, towards),
  }
}

/** Returns the accent tokens of both schemes. If the value is not a hex color, returns the default tokens. */
export function accentTokens(accent: string = defaultAccent): { light: AccentTokens; dark: AccentTokens } {
  const rgb = parseHex(accent)
  const color = rgb ? mixColors(accent, '#000000', 1) : defaultAccent
  return { light: derive(color, light, '#000000'), dark: derive(color, dark, '#ffffff') }
}

type AccentStyle = Record<`--${string}`, string>

let last: { accent: string | undefined; style: AccentStyle } | undefined

/**
 * Returns the accent tokens of both schemes as inline custom properties for `<html>`. They use
 * `light-dark()`, which follows `color-scheme`. Every page requests the same color, so the result is cached
 * until the color changes.
 */
export function accentStyle(accent?: string): AccentStyle {
  if (!last || last.accent !== accent) last = { accent, style: styleOf(accent) }
  return last.style
}

function styleOf(accent: string | undefined): AccentStyle {
  const tokens = accentTokens(accent)
  const names = Object.keys(tokens.light) as (keyof AccentTokens)[]
  return Object.fromEntries(
    names.map((name) => [`--${name}`, `light-dark(${tokens.light[name]}, ${tokens.dark[name]})`]),
  )
}
