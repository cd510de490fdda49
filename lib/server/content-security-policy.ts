import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSource } from '@/lib/base/config/checks'
import { textInEffect } from '@/lib/base/config/env'
import { isImage, ruleOf } from '@/lib/base/http/addresses'

/**
 * The Content-Security-Policy of a page. Scripts run from our own files, or inline with this response's nonce.
 * Inline styles stay allowed: radix positions its overlays by `style` attributes, and a style cannot act for a person.
 */
export function contentSecurityPolicy({
  path,
  nonce,
  development = false,
  logoUrls = logosInEffect(),
}: {
  path: string
  nonce: string
  /** React's debugging needs eval, and hot reload a socket; neither exists in production. */
  development?: boolean
  /** The service's own logos, which every page may show. */
  logoUrls?: (string | undefined)[]
}): string {
  const { showsStrangers, carriesFonts, leadsAway } = ruleOf(path)
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'unsafe-inline'`,
    // Avatars come from an identity provider's host, the service's logo from the operator's. Pages that show apps of
    // third parties load no image from a host that such an app chose (consent-view.ts).
    `img-src 'self' ${showsStrangers ? `data:${originsOf(logoUrls)}` : 'https: data: blob:'}`,
    `connect-src 'self'${development ? ' ws:' : ''}`,
    `font-src 'self'${carriesFonts ? ' data:' : ''}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    // Chromium applies it to the whole chain of redirects after a form, and would block the way back to a client.
    ...(leadsAway ? [] : [`form-action 'self'`]),
  ].join('; ')
}

const logosInEffect = () => [textInEffect('logoUrl'), textInEffect('logoDarkUrl')]

/** As sources of a policy, each with a space before it; nothing for paths of ours, and for what would end a source. */
const originsOf = (logoUrls: (string | undefined)[]): string => {
  const urls = logoUrls.map((logoUrl) => URL.parse(logoUrl ?? ''))
  const origins = urls.flatMap((url) =>
    url?.protocol === 'https:' && isSource(url.origin) ? url.origin : [],
  )
  return [...new Set(origins)].map((origin) => ` ${origin}`).join('')
}

/** The name of a policy's header; Next finds the nonce for its scripts in a request's header of this name. */
export const policyHeader = 'content-security-policy'

/** A nonce for one response: 128 random bits. */
export const newNonce = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

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
