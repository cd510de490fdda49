import { checkAgainstOpenApi } from './check-against-openapi'

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):/

/**
 * Replaces the global `fetch` with a function that also checks each response from this machine against the
 * OpenAPI document. The function covers `fetch` calls by libraries, too. If an endpoint for programs returns
 * a response that the document does not describe, the call throws an error, and the test fails.
 */
export function checkEveryAnswer(): void {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const sent = input instanceof Request ? input : { url: String(input), method: 'GET' }
    const response = await plain(input, init)
    // If `fetch` followed redirects, only the last response is visible. Assume that it is the response to a
    // GET request.
    const url = response.redirected ? response.url : sent.url
    const method = response.redirected ? 'GET' : (init?.method ?? sent.method)
    if (loopback.test(url)) {
      const { status, headers } = response
      // A stream might never end, so do not read its body. Check an empty stream comment (`:`) instead.
      const isStream = headers.get('content-type')?.startsWith('text/event-stream')
      const body = isStream ? ':' : await response.clone().text()
      checkAgainstOpenApi({ method, path: new URL(url).pathname, status, headers, body })
    }
    return response
  }
}
