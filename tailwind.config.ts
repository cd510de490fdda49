import plugin from 'tailwindcss/plugin'
import { accentTokens } from './components/ui/accent'
import { dark, hoverOverlays, light } from './components/ui/tokens'

/**
 * Class names such as `bg-surface` and `text-muted` refer to CSS variables, so a color scheme consists only
 * of values for these variables.
 */
const accent = accentTokens()
const both: Record<'light' | 'dark', Record<string, string>> = {
  light: { ...light, ...hoverOverlays.light, ...accent.light },
  dark: { ...dark, ...hoverOverlays.dark, ...accent.dark },
}
const names = Object.keys(both.light)
const colors = Object.fromEntries(names.map((name) => [name, `var(--${name})`]))

/**
 * CSS variables whose values depend on `color-scheme`. The system's color scheme applies unless the user
 * selected one.
 */
const variables = Object.fromEntries(
  names.map((name) => [`--${name}`, `light-dark(${both.light[name]}, ${both.dark[name]})`]),
)

/**
 * Returns the color of a soft shadow. The shadow is stronger in the dark scheme, where it would otherwise be
 * invisible.
 */
const shadow = (onLight: number, onDark: number) =>
  `light-dark(rgb(20 24 40 / ${onLight}), rgb(0 0 0 / ${onDark}))`
const shadows = {
  '--shadow-control': `0 1px 2px ${shadow(0.06, 0.3)}`,
  '--shadow-panel': `0 1px 2px ${shadow(0.04, 0.3)}`,
  '--shadow-overlay': `0 12px 32px -8px ${shadow(0.22, 0.7)}, 0 3px 8px -3px ${shadow(0.12, 0.5)}`,
}

export default {
  content: ['./app/**/*.{ts,tsx,mdx}', './components/**/*.{ts,tsx}'],
  theme: {
    colors: { ...colors, transparent: 'transparent', current: 'currentColor', white: '#ffffff' },
    fontFamily: {
      sans: ['var(--font-inter)', 'Inter Variable', 'Inter Fallback', 'system-ui', 'sans-serif'],
      mono: ['JetBrains Mono Variable', 'JetBrains Mono Fallback', 'ui-monospace', 'monospace'],
    },
    extend: {
      borderRadius: { control: '6px', card: '10px', panel: '12px' },
      maxWidth: { content: '1120px', form: '704px', card: '420px' },
      boxShadow: {
        control: 'var(--shadow-control)',
        panel: 'var(--shadow-panel)',
        overlay: 'var(--shadow-overlay)',
      },
      transitionTimingFunction: { frame: 'cubic-bezier(0.2, 0.8, 0.2, 1)' },
    },
  },
  plugins: [
    plugin(({ addBase }) => {
      addBase({
        ':root': { colorScheme: 'light dark', ...variables, ...shadows },
        ':root[data-theme="light"]': { colorScheme: 'light' },
        ':root[data-theme="dark"]': { colorScheme: 'dark' },
      })
    }),
  ],
}
