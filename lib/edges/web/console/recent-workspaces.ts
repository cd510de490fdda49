import { cookies } from 'next/headers'
import { cookieName, isSecure } from '@/lib/base/http/cookies'

/** How many of them the browser remembers. */
const most = 5

/** The cookie in which a browser remembers the workspaces opened lately; a script of the page writes it. */
export const recentCookie = () => ({ name: cookieName('recent'), secure: isSecure(), most })

/** The addresses of the workspaces that this browser opened lately, the last one first: anything at all, as it can be made up. */
export async function recentSlugs(): Promise<string[]> {
  const value = (await cookies()).get(recentCookie().name)?.value ?? ''
  return [...new Set(value.split('.').filter((slug) => /^[a-z0-9-]{1,60}$/.test(slug)))].slice(0, most)
}
