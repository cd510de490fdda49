import { ruleOf } from '@/lib/base/http/addresses'

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
  const { showsStrangers, carriesFonts, leadsAway } = ruleOf(path)
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'unsafe-inline'`,
    // Avatars come from an identity provider's host, the service's own logo from the operator's. No picture that a
    // stranger chose is loaded from anywhere else (describe-app.ts).
    `img-src 'self' ${showsStrangers ? `data:${originOf(logoUrl)}` : 'https: data: blob:'}`,
    `connect-src 'self'${development ? ' ws:' : ''}`,
    `font-src 'self'${carriesFonts ? ' data:' : ''}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    // Chromium applies it to the whole chain of redirects after a form, and would block the way back to a client.
    ...(leadsAway ? [] : [`form-action 'self'`]),
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
