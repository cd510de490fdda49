import { checkAgainstOpenApi } from './check-against-openapi'

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):/

/**
 * Checks the response to every `fetch` call to the product against the OpenAPI document, including calls by libraries. A test
 * therefore passes only if the document describes all responses that the test receives.
 */
export function checkEveryAnswer(): void {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const sent = input instanceof Request ? input : { url: String(input), method: 'GET' }
    const response = await plain(input, init)
    // Only the last response in a redirect chain is visible. Assume that its request was a GET request.
    const url = response.redirected ? response.url : sent.url
    const method = response.redirected ? 'GET' : (init?.method ?? sent.method)
    if (loopback.test(url)) {
      const { status, headers } = response
      // A stream might never end, so its body is not checked.
      const isStream = headers.get('content-type')?.startsWith('text/event-stream')
      const body = isStream ? ':' : await response.clone().text()
      checkAgainstOpenApi({ method, path: new URL(url).pathname, status, headers, body })
    }
    return response
  }
}
