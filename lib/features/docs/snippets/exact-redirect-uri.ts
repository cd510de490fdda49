import type { SnippetValues } from './values'

/** Whether openid-client repeats this redirect URI at the token endpoint as it is: it drops the query and normalises. */
const isRepeated = (uri: string): boolean => !uri.includes('?') && new URL(uri).href === uri

/** For a redirect URI that openid-client would change; the token endpoint wants it as it was (RFC 6749 section 4.1.3). */
export const exactRedirectUri = ({ redirectUri }: SnippetValues): string =>
  isRepeated(redirectUri)
    ? ''
    : `
// The library would send the redirect URI without its query; it must be the registered one.
config[oidc.customFetch] = (url, options) => {
  if (options.body?.has?.('redirect_uri')) options.body.set('redirect_uri', redirectUri)
  return fetch(url, options)
}
`
