import type { IncomingMessage, ServerResponse } from 'node:http'
import { isImage, ruleOf } from '@/lib/base/http/addresses'
import { contentSecurityPolicy, newNonce, policyHeader } from './content-security-policy'

/** Addresses of which there is one way to read them; the files of Next are not among them. See decision 065. */
const plainAddress = /^\/(?!_next\/)(?:[\w-]+(?:\/[\w-]+)*)?$/

/**
 * Gives a page its Content-Security-Policy where we own the Node server. It is what proxy.ts does, which Next then skips,
 * because calling it costs a fifth of what a small page costs. Odd addresses are left to the proxy.
 * @param path without its query
 */
export function setPagePolicy(req: IncomingMessage, res: ServerResponse, path: string): void {
  // Said by a client, it would keep the proxy from giving the answer a policy.
  delete req.headers[policyHeader]
  if (!plainAddress.test(path) || ruleOf(path).endpoint || isImage(path)) return
  const policy = contentSecurityPolicy({ path, nonce: newNonce() })
  req.headers[policyHeader] = policy
  res.setHeader(policyHeader, policy)
}
