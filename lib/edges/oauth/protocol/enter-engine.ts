import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { judgeProof } from '@/lib/policy/proof-of-possession'
import { issuer, mount, routes } from './routes'

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

/** The endpoints at which the engine reads a DPoP proof. */
const provenRoutes = new Set<string>([routes.token, routes.userinfo, routes.pushed_authorization_request])

/**
 * Hides a DPoP proof that the rule of the product refuses: the engine then answers as it does to any text that is no proof.
 * Proofs whose time is wrong are left to the engine, which answers with a nonce for them (RFC 9449 section 8).
 * @param url path and query below the mount
 */
async function judgeProofOf({ headers, method = '' }: IncomingMessage, url: string): Promise<void> {
  if (headers.dpop === undefined) return
  const route = url.split('?', 1)[0]?.toLowerCase() ?? ''
  if (!provenRoutes.has(route)) return
  const accessToken =
    route === routes.userinfo ? /^dpop +(\S+)$/i.exec(headers.authorization ?? '')?.[1] : undefined
  const sound = await judgeProof(String(headers.dpop), { method, url: issuer() + route, accessToken })
  if (!sound) headers.dpop = 'refused'
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
  await judgeProofOf(req, url)
  // The engine derives its mount path from the two: originalUrl keeps it, url has lost it.
  Object.assign(req, { originalUrl: `${mount}${url}`, url })
  await callback(req, res)
}
