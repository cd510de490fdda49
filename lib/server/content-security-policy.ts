import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSource } from '@/lib/base/config/checks'
import { textInEffect } from '@/lib/base/config/env'
import { isImage, ruleOf } from '@/lib/base/http/addresses'

/**
 * Returns the Content-Security-Policy of a page. Scripts can be files of this service, or inline with this response's nonce.
 * Inline styles are allowed, because Radix positions its overlays with `style` attributes, and a style cannot act for a user.
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
    // Avatars come from an identity provider's host, and the service logo comes from a host that an instance admin chose.
    // Pages that show third-party apps load no image from a host that such an app chose (consent-view.ts).
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

/** Returns hosts as sources of a policy, each after a space. Omits relative paths and text that would end a source. */
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

/** Matches paths with only one form, except those of Next's files. See ADR 0030. */
const plainAddress = /^\/(?!_next\/)(?:[\w-]+(?:\/[\w-]+)*)?$/

/**
 * Sets the Content-Security-Policy of a page under the custom server. Next then skips proxy.ts, which would take a fifth of
 * the time of a small page. Unusual paths are left to proxy.ts.
 * @param path the path without the query
 */
export function setPagePolicy(req: IncomingMessage, res: ServerResponse, path: string): void {
  // If a client could send this header, the proxy would not set a policy.
  delete req.headers[policyHeader]
  if (!plainAddress.test(path) || ruleOf(path).endpoint || isImage(path)) return
  const policy = contentSecurityPolicy({ path, nonce: newNonce() })
  req.headers[policyHeader] = policy
  res.setHeader(policyHeader, policy)
}
