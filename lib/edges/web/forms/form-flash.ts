import { secureCookieName, setCookie } from '@/lib/base/http/cookies'
import type { RefusedForm } from './form-state'

const name = () => secureCookieName('lk-form')
const seconds = 120
/** Browsers drop a cookie of more than 4096 bytes, and what was wrong with it; a value too long is forgotten instead. */
const mostBytes = 3600

/**
 * The Set-Cookie value that hands what a refused form says over the redirect to its page at `path`, for a short while: an
 * e-mail address does not belong in a URL, and a password belongs nowhere.
 */
export function flashCookie(path: string, flash: RefusedForm): string {
  let json = encoded({ ...flash, values: {} })
  const values: Record<string, string> = {}
  for (const [field, value] of Object.entries(flash.values)) {
    values[field] = value.slice(0, 254)
    const longer = encoded({ ...flash, values })
    if (longer.length > mostBytes) delete values[field]
    else json = longer
  }
  return setCookie(name(), json, path, seconds)
}

const encoded = (flash: RefusedForm) => encodeURIComponent(JSON.stringify(flash))

/** The Set-Cookie value that takes it back. */
export const clearedFlashCookie = (path: string): string => setCookie(name(), '', path, 0)

/**
 * Reads the flash of a form page.
 * @param cookies the request's cookies (`await cookies()` in a page)
 * @param shown whether the page was reached from a refused form (`?error` is in its address); otherwise the flash is old
 */
export function readFlash(
  cookies: { get(name: string): { value: string } | undefined },
  shown: boolean,
): RefusedForm | undefined {
  const raw = shown ? cookies.get(name())?.value : undefined
  if (!raw) return undefined
  try {
    const flash = JSON.parse(raw.startsWith('%') ? decodeURIComponent(raw) : raw) as Partial<RefusedForm>
    const { fields = {}, values = {}, message } = flash
    return message === undefined ? { fields, values } : { fields, values, message: String(message) }
  } catch {
    return undefined
  }
}
