import { type RequestInit as UndiciRequestInit, fetch as undiciFetch } from 'undici'
import { checkOutboundUrl } from './check-url'
import { guardedAgent } from './guarded-agent'
import { watchCall } from './watch-call'

/**
 * `fetch` for libraries that take one, such as the OAuth engine for client-ID metadata documents, jwks_uri and back-channel
 * logout. Every connection goes through the guard, those of followed redirects too; without instruction a redirect is an
 * error and the call ends after five seconds. Bounding the body is up to the library.
 * @throws OutboundError for an address that may not be called; TypeError, as `fetch`, for whatever fails later
 */
export const guardedWebFetch = (url: string | URL, init: RequestInit = {}): Promise<Response> =>
  watchCall('client-document', init.method === 'POST' ? 'POST' : 'GET', (traced) => call(url, init, traced))

async function call(url: string | URL, init: RequestInit, traced: Record<string, string>): Promise<Response> {
  const checked = checkOutboundUrl(url)
  const { headers, ...rest } = init
  const response = await undiciFetch(checked, {
    ...(rest as UndiciRequestInit),
    headers: [...new Headers(headers), ...Object.entries(traced)],
    redirect: init.redirect ?? 'error',
    signal: init.signal ?? AbortSignal.timeout(5_000),
    dispatcher: guardedAgent(),
  })
  return response as unknown as Response
}
