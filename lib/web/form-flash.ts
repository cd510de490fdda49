import { isSecure } from './session-cookie'

/**
 * What had been typed into a refused form, by field name, carried over the redirect back to its page in a short-lived
 * cookie: names and addresses do not belong in a URL, and a password belongs nowhere.
 */
export type FormFlash = Record<string, string>

const name = 'lk-form'
const seconds = 120
const attributes = (path: string) => `Path=${path}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`

/** The Set-Cookie value that hands typed values to the page at `path`. */
export function flashCookie(path: string, typed: FormFlash): string {
  const values = Object.fromEntries(
    Object.entries(typed).map(([field, value]) => [field, value.slice(0, 254)]),
  )
  return `${name}=${encodeURIComponent(JSON.stringify(values))}; Max-Age=${seconds}; ${attributes(path)}`
}

/** The Set-Cookie value that takes it back. */
export const clearedFlashCookie = (path: string): string => `${name}=; Max-Age=0; ${attributes(path)}`

/** Reads what was typed. @param cookies the request's cookies: `await cookies()` in a page */
export function readFlash(cookies: { get(name: string): { value: string } | undefined }): FormFlash {
  try {
    const values: unknown = JSON.parse(cookies.get(name)?.value ?? '{}')
    return Object.fromEntries(Object.entries(values ?? {}).map(([field, value]) => [field, String(value)]))
  } catch {
    return {}
  }
}
