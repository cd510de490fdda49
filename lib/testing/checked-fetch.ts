import { checkAgainstOpenApi } from './check-against-openapi'

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):/

/**
 * Makes every `fetch` of this process hold what the product answers against the interface description, whichever test or
 * library sent the request; so a test that passes has also proved that its answers are described.
 */
export function checkEveryAnswer(): void {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const sent = input instanceof Request ? input : { url: String(input), method: 'GET' }
    const response = await plain(input, init)
    // Of a chain of redirects only the last answer is seen, and that one was asked for with GET.
    const url = response.redirected ? response.url : sent.url
    const method = response.redirected ? 'GET' : (init?.method ?? sent.method)
    if (loopback.test(url)) {
      const { status, headers } = response
      // A stream goes on for as long as whoever reads it wants.
      const isStream = headers.get('content-type')?.startsWith('text/event-stream')
      const body = isStream ? ':' : await response.clone().text()
      checkAgainstOpenApi({ method, path: new URL(url).pathname, status, headers, body })
    }
    return response
  }
}
