import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSource } from '@/lib/base/config/checks'
import { textInEffect } from '@/lib/base/config/env'
import { isImage, ruleOf } from '@/lib/base/http/addresses'

/**
 * Returns a page's Content-Security-Policy. Scripts can be files from this origin or inline scripts with
 * `nonce`. Inline styles are allowed because Radix positions its overlays with `style` attributes, and
 * because a style cannot perform actions for a user.
 */
export function contentSecurityPolicy({
  path,
  nonce,
  development = false,
  logoUrls = logosInEffect(),
}: {
  path: string
  nonce: string
  /**
   * Whether to allow `eval` for React's debugging and a socket for hot reloading. Production uses neither.
   */
  development?: boolean
  /**
   * The URLs of the instance's logos, which every page can show. If omitted, the URLs in the instance
   * settings.
   */
  logoUrls?: (string | undefined)[]
}): string {
  const { showsStrangers, carriesFonts, leadsAway } = ruleOf(path)
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'unsafe-inline'`,
    // Allow images from every https host: an avatar can come from an identity provider's host, and the
    // instance's logo can come from a host that an instance admin chose. On pages that show third-party apps,
    // allow only this origin, `data:` URLs, and the logo's hosts, because these pages must not load an image
    // from a host that such an app chose (consent-view.ts).
    `img-src 'self' ${showsStrangers ? `data:${originsOf(logoUrls)}` : 'https: data: blob:'}`,
    `connect-src 'self'${development ? ' ws:' : ''}`,
    `font-src 'self'${carriesFonts ? ' data:' : ''}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    // Omit form-action if a form on the page can redirect to a client. Chromium also applies form-action to
    // the redirects after a form is sent, and would block this redirect.
    ...(leadsAway ? [] : [`form-action 'self'`]),
  ].join('; ')
}

const logosInEffect = () => [textInEffect('logoUrl'), textInEffect('logoDarkUrl')]

/**
 * Returns the distinct origins of logo URLs as sources for the policy, each preceded by a space. Omits URLs
 * that are relative or not https, and origins with characters that would end a source.
 */
const originsOf = (logoUrls: (string | undefined)[]): string => {
  const urls = logoUrls.map((logoUrl) => URL.parse(logoUrl ?? ''))
  const origins = urls.flatMap((url) =>
    url?.protocol === 'https:' && isSource(url.origin) ? url.origin : [],
  )
  return [...new Set(origins)].map((origin) => ` ${origin}`).join('')
}

/** The header with the policy. Next reads the nonce for its scripts from the request header of this name. */
export const policyHeader = 'content-security-policy'

/** Returns a nonce for one response: 128 random bits. */
export const newNonce = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

/**
 * Matches paths that this server and Next interpret in the same way: those with only letters, digits,
 * underscores, hyphens, and slashes, and without repeated or trailing slashes. Excludes the paths of Next's
 * files.
 */
const plainAddress = /^\/(?!_next\/)(?:[\w-]+(?:\/[\w-]+)*)?$/

/**
 * Sets a page's Content-Security-Policy in the request and the response under the custom server. If the
 * request has this header, Next skips proxy.ts, which would take a fifth of a small page's rendering time.
 * Paths that `plainAddress` does not match are left to proxy.ts. Endpoints and images get no policy.
 * @param path the path without the query
 */
export function setPagePolicy(req: IncomingMessage, res: ServerResponse, path: string): void {
  // Remove the client's value. Otherwise, a client that sends this header could prevent proxy.ts from setting
  // a policy.
  delete req.headers[policyHeader]
  if (!plainAddress.test(path) || ruleOf(path).endpoint || isImage(path)) return
  const policy = contentSecurityPolicy({ path, nonce: newNonce() })
  req.headers[policyHeader] = policy
  res.setHeader(policyHeader, policy)
}
