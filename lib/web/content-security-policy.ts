/**
 * Pages whose forms may end in a redirect to a third party's callback. Chromium applies `form-action` to the whole
 * chain of redirects after a form, so there it would block the way back to the client: these pages go without.
 */
const leadsAway = /^\/(login|signup|interaction|consent|device|logout|oauth)(\/|$)/

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
}: {
  path: string
  nonce: string
  /** React's debugging needs eval, and hot reload a socket; neither exists in production. */
  development?: boolean
}): string {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'unsafe-inline'`,
    // Logos and avatars come from the operator's, an app's or an identity provider's host.
    `img-src 'self' https: data: blob:`,
    `connect-src 'self'${development ? ' ws:' : ''}`,
    `font-src 'self'${bringsFonts.test(path) ? ' data:' : ''}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ...(leadsAway.test(path) ? [] : [`form-action 'self'`]),
  ].join('; ')
}

/** The name of a policy's header; Next finds the nonce for its scripts in a request's header of this name. */
export const policyHeader = 'content-security-policy'

/** A nonce for one response: 128 random bits. */
export const newNonce = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

/** Whether a path answers an image with a stricter policy of its own, which a page's would replace. */
export const bringsOwnPolicy = (path: string): boolean => /^\/(pictures|brand)\/[^/]+$/.test(path)
