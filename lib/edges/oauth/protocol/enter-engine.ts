import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { mount } from './routes'

let pinned: { base: string; host: string; protocol: string } | undefined

/** Host and protocol of BASE_URL. */
function address() {
  const base = config().BASE_URL
  if (pinned?.base !== base) {
    const { host, protocol } = new URL(base)
    pinned = { base, host, protocol: protocol.slice(0, -1) }
  }
  return pinned
}

/**
 * Hands a request to the engine. The host and protocol it sees are those of BASE_URL, whatever a client or proxy named.
 * @param url path and query below the mount
 */
export async function enterEngine(
  { callback }: { callback: ReturnType<Provider['callback']> },
  url: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { host, protocol } = address()
  const { headers } = req
  headers.host = host
  headers['x-forwarded-proto'] = protocol
  if (headers['x-forwarded-host'] !== undefined) delete headers['x-forwarded-host']
  // The engine derives its mount path from the two: originalUrl keeps it, url has lost it.
  Object.assign(req, { originalUrl: `${mount}${url}`, url })
  await callback(req, res)
}
