import { config } from '@/lib/base/config/env'
import { sessionCookieName } from '@/lib/features/identity/sessions/session-cookie'

/**
 * A minimal browser for OAuth redirects. It keeps cookies with their paths. `request` does not follow
 * redirects, but `follow` and `submit` do.
 */
export class TestBrowser {
  readonly #cookies = new Map<string, { pair: string; path: string }>()

  constructor(signedIn?: string) {
    if (signedIn) this.setCookie(signedIn)
  }

  setCookie(header: string): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
    const path = attributes.find((part) => part.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
    const key = `${pair.slice(0, pair.indexOf('='))} ${path}`
    if (attributes.some((part) => part.includes('01 Jan 1970') || part.toLowerCase() === 'max-age=0')) {
      this.#cookies.delete(key)
    } else this.#cookies.set(key, { pair, path })
  }

  dropCookies(name: RegExp): void {
    for (const key of this.#cookies.keys()) if (name.test(key)) this.#cookies.delete(key)
  }

  /** Copies this browser's session to another browser, as if the user had signed in there. */
  lendSession(other: TestBrowser): void {
    for (const [key, cookie] of this.#cookies)
      if (key.startsWith(sessionCookieName())) other.#cookies.set(key, cookie)
  }

  async request(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, config().BASE_URL)
    const cookie = [...this.#cookies.values()]
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(({ pair }) => pair)
      .join('; ')
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) this.setCookie(set)
    return response
  }

  /**
   * Sends a request, and follows redirects within the product's origin.
   * @returns the last response: a page, or a redirect to the sign-in page or another origin
   * @throws Error after 10 redirects
   */
  async follow(address: string, init?: RequestInit): Promise<Response> {
    let response = await this.request(address, init)
    for (let hops = 0; hops < 10; hops++) {
      const location = response.headers.get('location')
      if (!location || ![301, 302, 303, 307].includes(response.status)) return response
      const to = new URL(location, config().BASE_URL)
      if (to.origin !== config().BASE_URL || to.pathname === '/login') return response
      response = await this.request(to.href)
    }
    throw new Error('too many redirects')
  }

  /** Submits a form as one of the product's pages does, and follows redirects. */
  submit(address: string, fields: [string, string][], headers: Record<string, string> = {}) {
    return this.follow(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: config().BASE_URL,
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    })
  }
}
