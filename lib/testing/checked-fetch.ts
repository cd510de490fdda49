import { checkAgainstOpenApi } from './check-against-openapi'

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):/

/**
 * Checks the response of every `fetch` to the product against the interface description, in tests and
 * libraries. A passing test therefore also proves that its responses are described.
 */
export function checkEveryAnswer(): void {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const sent = input instanceof Request ? input : { url: String(input), method: 'GET' }
    const response = await plain(input, init)
    // Only the last response of a redirect chain is visible, and its request was a GET.
    const url = response.redirected ? response.url : sent.url
    const method = response.redirected ? 'GET' : (init?.method ?? sent.method)
    if (loopback.test(url)) {
      const { status, headers } = response
      // A stream has no fixed end.
      const isStream = headers.get('content-type')?.startsWith('text/event-stream')
      const body = isStream ? ':' : await response.clone().text()
      checkAgainstOpenApi({ method, path: new URL(url).pathname, status, headers, body })
    }
    return response
  }
}
