import { derivedKeys, openToken, sealToken } from '@/lib/base/credentials/seal'
import { cookieName, setCookie } from '@/lib/base/http/visitor'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'

/** A request and its response as the page shows them, without secrets. */
export type Exchange = { title: string; request: string; status: number; answer: string }

/** A test sign-in that has started but has no result yet. */
export type Pending = {
  userId: string
  clientId: string
  /** The page that started the test sign-in and shows its result. */
  page: string
  /** Whether the user had authorized the app before the test. */
  had: boolean
  steps: Exchange[]
  /** The two codes of the device flow; undefined if the first request was rejected. */
  codes?: { device: string; user: string }
}

const keys = () => derivedKeys('try-sign-in')

/**
 * Returns the name of the cookie that contains a test sign-in's encrypted state. The server does not store
 * this state.
 */
export const testSignInCookieName = (): string => cookieName('try')

/** The lifetime of the cookie in seconds, the same as a device code's. */
const seconds = 600

export const sealPending = (pending: Pending): string => sealToken(JSON.stringify(pending), keys())

/**
 * Returns the Set-Cookie value for the state of a test sign-in. Browsers send the cookie to all pages, so
 * that the handler of the consent form can send the user back to the test.
 */
export const testSignInCookie = (sealed: string): string =>
  setCookie(testSignInCookieName(), sealed, '/', seconds)

/**
 * Returns the decrypted state. Returns undefined if there is no state, for another user's test sign-in, and
 * for a value that this server did not encrypt.
 */
export function openPending(sealed: string | undefined, userId: string): Pending | undefined {
  const text = sealed ? openToken(sealed, keys()) : undefined
  const pending = text === undefined ? undefined : (JSON.parse(text) as Pending)
  return pending?.userId === userId ? pending : undefined
}

/**
 * Returns the page to show after a decision on a test sign-in of the same browser and user; undefined for any
 * other decision.
 * @param cookies the Cookie header
 * @param userCode the user code of the request that the user decided on
 */
export function tryPageOf(cookies: string | undefined, userId: string, userCode: string): string | undefined {
  const pending = openPending(cookieValue(cookies, testSignInCookieName()), userId)
  return pending?.codes?.user === userCode ? pending.page : undefined
}
