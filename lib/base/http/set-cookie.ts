import { isSecure } from './cookie-names'

/**
 * A Set-Cookie value, for a cookie that no script may read and no foreign form brings.
 * @param name from cookie-names.ts
 * @param seconds how long it is kept; 0 takes it back
 */
export const setCookie = (name: string, value: string, path: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`
