'use client'
import { Monitor, Moon, Sun } from '../ui/icon'
import type { FrameTheme } from './frame-types'

const themes = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
]

/**
 * Lets the user select the light, dark, or system theme. With JavaScript, the theme of the page changes
 * immediately. A form stores the choice, even without JavaScript.
 */
export function ThemeSwitch({ chosen = undefined, choose }: FrameTheme) {
  const show = (theme: string) => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }
  return (
    <form action={choose} className="flex items-center justify-between gap-2 px-2 py-1">
      <span aria-hidden className="text-[13px] text-muted">
        Theme
      </span>
      <fieldset className="theme-switch">
        <legend className="sr-only">Theme</legend>
        {themes.map(({ value, label, icon: Icon }) => (
          <button
            key={value}
            type="submit"
            name="theme"
            value={value}
            title={label}
            aria-label={label}
            aria-pressed={value === (chosen ?? 'system')}
            onClick={() => show(value)}
          >
            <Icon />
          </button>
        ))}
      </fieldset>
    </form>
  )
}
