import { cookies } from 'next/headers'
import { readFlash } from '@/lib/web/form-flash'

export type AuthSearchParams = Promise<Record<string, string | string[] | undefined>>

/**
 * Where to go afterwards, the code of what was refused (components/auth/messages), and then what had been typed, which
 * comes in a cookie. Of a repeated parameter the first counts.
 */
export async function readAuthParams(searchParams: AuthSearchParams) {
  const params = await searchParams
  const one = (name: string) => [params[name]].flat()[0]
  const error = one('error')
  const typed = error ? readFlash(await cookies()) : {}
  return { next: one('next'), error, name: typed.name, email: typed.email }
}

/** The other page of the pair, with `next` kept. */
export function withNext(path: string, next: string | undefined): string {
  return next ? `${path}?${new URLSearchParams({ next })}` : path
}
