import type { KoaContextWithOIDC } from 'oidc-provider'

/** So much of a stranger's value is repeated to somebody. */
const longestShown = 200

/** A value that was sent, as far as it is repeated: one that is too long ends in "…". */
export const shortened = (sent: string): string =>
  sent.length > longestShown ? `${sent.slice(0, longestShown)}…` : sent

/**
 * A value that was sent, for a sentence of ours: in printable ASCII without quotes and backslashes (RFC 6749 section 4.1.2.1), what is
 * none of it encoded.
 */
export const printable = (sent: string): string =>
  // Half of a pair, which JSON can hold, is no character that could be encoded.
  sent.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, encodeURIComponent)

/**
 * Returns whether a request brings credentials of its client: a header, a secret or an assertion. The engine refuses those
 * that are wrong.
 * @param ctx once the engine has read the body
 */
export function sentCredentials({ headers, oidc }: KoaContextWithOIDC): boolean {
  const { client_secret: secret, client_assertion: assertion } = (oidc.body ?? {}) as Record<string, unknown>
  return headers.authorization !== undefined || Boolean(secret) || Boolean(assertion)
}
