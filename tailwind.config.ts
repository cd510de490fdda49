import plugin from 'tailwindcss/plugin'
import { accentTokens } from './components/ui/accent'
import { dark, light } from './components/ui/tokens'

/** Names in classes (`bg-surface`, `text-muted`) point at CSS variables, so a scheme is only a set of values. */
const names = [...Object.keys(light), ...Object.keys(accentTokens().light)]
const colors = Object.fromEntries(names.map((name) => [name, `var(--${name})`]))

const variables = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value]))

export default {
  content: ['./app/**/*.{ts,tsx,mdx}', './components/**/*.{ts,tsx}'],
  theme: {
    colors: { ...colors, transparent: 'transparent', current: 'currentColor', white: '#ffffff' },
    fontFamily: {
      sans: ['var(--font-inter)', 'Inter Variable', 'Inter Fallback', 'system-ui', 'sans-serif'],
      mono: ['JetBrains Mono Variable', 'JetBrains Mono Fallback', 'ui-monospace', 'monospace'],
    },
    extend: {
      borderRadius: { card: '8px', control: '6px' },
      maxWidth: { content: '1040px', card: '420px' },
      boxShadow: { overlay: '0 8px 24px -6px rgb(0 0 0 / 0.22), 0 2px 6px -2px rgb(0 0 0 / 0.12)' },
    },
  },
  plugins: [
    plugin(({ addBase }) => {
      addBase({
        ':root': { colorScheme: 'light dark', ...variables(light), ...variables(accentTokens().light) },
        '@media (prefers-color-scheme: dark)': {
          ':root': { ...variables(dark), ...variables(accentTokens().dark) },
        },
      })
    }),
  ],
}
