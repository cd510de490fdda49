/**
 * Pages whose forms may end in a redirect to a third party's callback. Chromium applies `form-action` to the whole
 * chain of redirects after a form, so there it would block the way back to the client: these pages go without.
 */
const leadsAway = /^\/(login|signup|interaction|consent|device|logout|oauth)(\/|$)/

/** Pages about an app that a stranger may have made: they load no picture from anywhere else (describe-app.ts). */
const showsStrangers = /^\/(interaction|device)(\/|$)/

/** GraphiQL's style sheet carries its fonts in itself. */
const bringsFonts = /^\/graphql\/explorer$/

/**
 * The Content-Security-Policy of a page. Scripts run from our own files, or inline with this response's nonce.
 * Inline styles stay allowed: radix positions its overlays by `style` attributes, and a style cannot act for a person.
 */
export function contentSecurityPolicy({
  path,
  nonce,
  development = false,
  logoUrl = process.env.LOGO_URL,
}: {
  path: string
  nonce: string
  /** React's debugging needs eval, and hot reload a socket; neither exists in production. */
  development?: boolean
  /** The service's own logo, which every page may show. */
  logoUrl?: string | undefined
}): string {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'unsafe-inline'`,
    // Avatars come from an identity provider's host, the service's own logo from the operator's.
    `img-src 'self' ${showsStrangers.test(path) ? `data:${originOf(logoUrl)}` : 'https: data: blob:'}`,
    `connect-src 'self'${development ? ' ws:' : ''}`,
    `font-src 'self'${bringsFonts.test(path) ? ' data:' : ''}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ...(leadsAway.test(path) ? [] : [`form-action 'self'`]),
  ].join('; ')
}

/** As a source of a policy, with a space before it; nothing for a path of ours. */
function originOf(logoUrl: string | undefined): string {
  const url = URL.parse(logoUrl ?? '')
  return url?.protocol === 'https:' ? ` ${url.origin}` : ''
}

/** The name of a policy's header; Next finds the nonce for its scripts in a request's header of this name. */
export const policyHeader = 'content-security-policy'

/** A nonce for one response: 128 random bits. */
export const newNonce = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

/** Whether a path answers an image with a stricter policy of its own, which a page's would replace. */
export const bringsOwnPolicy = (path: string): boolean => /^\/(pictures|brand)\/[^/]+$/.test(path)
