import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSource } from '@/lib/base/config/checks'
import { textInEffect } from '@/lib/base/config/env'
import { isImage, ruleOf } from '@/lib/base/http/addresses'

/**
 * Returns the Content-Security-Policy of a page. Scripts run from our own files, or inline with this response's nonce.
 * Inline styles are allowed: radix positions its overlays with `style` attributes, and a style cannot act for a user.
 */
export function contentSecurityPolicy({
  path,
  nonce,
  development = false,
  logoUrls = logosInEffect(),
}: {
  path: string
  nonce: string
  /** React's debugging needs eval, and hot reload needs a socket. Neither exists in production. */
  development?: boolean
  /** The logos of the service, which every page can show. */
  logoUrls?: (string | undefined)[]
}): string {
  const { showsStrangers, carriesFonts, leadsAway } = ruleOf(path)
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'unsafe-inline'`,
    // Avatars come from an identity provider's host, the service logo from a host that an instance admin chose. Pages that show
    // third-party apps load no image from a host that such an app chose (consent-view.ts).
    `img-src 'self' ${showsStrangers ? `data:${originsOf(logoUrls)}` : 'https: data: blob:'}`,
    `connect-src 'self'${development ? ' ws:' : ''}`,
    `font-src 'self'${carriesFonts ? ' data:' : ''}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    // Chromium applies form-action to all redirects after a form, and would block the redirect to a client.
    ...(leadsAway ? [] : [`form-action 'self'`]),
  ].join('; ')
}

const logosInEffect = () => [textInEffect('logoUrl'), textInEffect('logoDarkUrl')]

/** Returns hosts as sources of a policy, each after a space. Omits our own paths and text that would end a source. */
const originsOf = (logoUrls: (string | undefined)[]): string => {
  const urls = logoUrls.map((logoUrl) => URL.parse(logoUrl ?? ''))
  const origins = urls.flatMap((url) =>
    url?.protocol === 'https:' && isSource(url.origin) ? url.origin : [],
  )
  return [...new Set(origins)].map((origin) => ` ${origin}`).join('')
}

/** Next reads the nonce for its scripts from a request header of this name. */
export const policyHeader = 'content-security-policy'

/** Returns a nonce for one response: 128 random bits. */
export const newNonce = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

/** Addresses with one canonical form. Next's files are not among them. See ADR 0030. */
const plainAddress = /^\/(?!_next\/)(?:[\w-]+(?:\/[\w-]+)*)?$/

/**
 * Sets the Content-Security-Policy of a page under our own Node server. It replaces proxy.ts, which Next skips then because it
 * costs a fifth of a small page. Unusual addresses are left to the proxy.
 * @param path without the query
 */
export function setPagePolicy(req: IncomingMessage, res: ServerResponse, path: string): void {
  // If a client could send this header, the proxy would not set a policy.
  delete req.headers[policyHeader]
  if (!plainAddress.test(path) || ruleOf(path).endpoint || isImage(path)) return
  const policy = contentSecurityPolicy({ path, nonce: newNonce() })
  req.headers[policyHeader] = policy
  res.setHeader(policyHeader, policy)
}
