import { cookieName } from '@/lib/base/http/cookies'

/** How the console looks; without a choice it follows the system. */
export type Theme = 'light' | 'dark'

export const themeCookie = (): string => cookieName('theme')

/** What the theme's cookie says; anything else than a theme counts as no choice. */
export const readTheme = (value: unknown): Theme | undefined =>
  value === 'light' || value === 'dark' ? value : undefined
