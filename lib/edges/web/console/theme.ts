import { cookies } from 'next/headers'
import { isSecure } from '@/lib/base/http/cookies'
import { readTheme, type Theme, themeCookie } from './read-theme'

/** What the person chose in this browser. */
export const chosenTheme = async (): Promise<Theme | undefined> =>
  readTheme((await cookies()).get(themeCookie())?.value)

/** Remembers a choice in this browser; anything else than a theme takes it back. */
export async function chooseTheme(chosen: unknown): Promise<void> {
  const jar = await cookies()
  const name = themeCookie()
  const shared = { path: '/', secure: isSecure(), httpOnly: true, sameSite: 'lax' } as const
  const theme = readTheme(chosen)
  if (theme) jar.set(name, theme, { ...shared, maxAge: 31_536_000 })
  else jar.set(name, '', { ...shared, maxAge: 0 })
}
