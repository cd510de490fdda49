import { cookies } from 'next/headers'
import { cookieName, isSecure } from '@/lib/base/http/cookie-names'

/** How the console looks; without a choice it follows the system. */
export type Theme = 'light' | 'dark'

const themeCookie = () => cookieName('theme')

/** What the person chose in this browser. */
export async function chosenTheme(): Promise<Theme | undefined> {
  const value = (await cookies()).get(themeCookie())?.value
  return value === 'light' || value === 'dark' ? value : undefined
}

/** Remembers a choice in this browser; anything else than a theme takes it back. */
export async function chooseTheme(theme: unknown): Promise<void> {
  const jar = await cookies()
  const name = themeCookie()
  const shared = { path: '/', secure: isSecure(), httpOnly: true, sameSite: 'lax' } as const
  if (theme === 'light' || theme === 'dark') jar.set(name, theme, { ...shared, maxAge: 31_536_000 })
  else jar.set(name, '', { ...shared, maxAge: 0 })
}
