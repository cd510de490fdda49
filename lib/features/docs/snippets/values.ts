/** What a snippet is filled with: the reader's own values where they are known, speaking placeholders otherwise. */
export type SnippetValues = {
  /** The service's origin. */
  baseUrl: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** The app is set to accept nothing but pushed requests. */
  pushed?: boolean
  accessToken: string
  refreshToken: string
}

export const placeholders: Omit<SnippetValues, 'baseUrl'> = {
  clientId: 'YOUR_CLIENT_ID',
  clientSecret: 'YOUR_CLIENT_SECRET',
  redirectUri: 'http://localhost:4000/callback',
  accessToken: 'YOUR_TOKEN',
  refreshToken: 'YOUR_REFRESH_TOKEN',
}

/** What a native app on a desktop registers: a loopback address without a port, which takes any. */
export const loopbackRedirectUri = 'http://127.0.0.1/callback'

/** openid-client refuses plain http unless told otherwise; only a service on one's own machine has it. */
export const overHttp = ({ baseUrl }: SnippetValues, before: string): string =>
  baseUrl.startsWith('http:') ? `${before}{ execute: [oidc.allowInsecureRequests] },\n` : ''

/** How a program gets the address to send people to: an app may be set to push its requests (RFC 9126). */
export const authorizationUrlCall = ({ pushed }: SnippetValues): string =>
  pushed ? 'await oidc.buildAuthorizationUrlWithPAR' : 'oidc.buildAuthorizationUrl'

/**
 * Values inside code that people paste and run. An admin chooses an app's redirect URIs, whose query may hold quotes,
 * backslashes, backticks and `$`; whoever runs the snippet must get that text and never a program of the admin's.
 */

/** A JavaScript string literal in single quotes. @returns the literal, which evaluates to exactly this text */
export const jsString = (text: string): string =>
  `'${text.replace(/[^\x20-\x7e]|['\\]/g, (character) =>
    /['\\]/.test(character)
      ? `\\${character}`
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}'`

/** One word of a POSIX shell command in single quotes, inside which nothing is special but the quote itself. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

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

/** A GraphQL answer with an error, as it looks; a test holds it against the interface description. */
export const errorAnswerSnippet = (): string => `{
  "data": null,
  "errors": [
    {
      "message": "The token lacks a required scope.",
      "path": ["projects"],
      "extensions": {
        "code": "INSUFFICIENT_SCOPE",
        "requiredScope": "project:viewer",
        "traceId": "3d2f0b1c9e8a4f6f8d5e"
      }
    }
  ],
  "extensions": { "traceId": "3d2f0b1c9e8a4f6f8d5e" }
}
`

/** Where the proof of a domain is published; the value is made for each app. */
export const domainProofSnippet = (): string => `# A TXT record
_latchkey.example.com.  TXT  "latchkey-app=…"

# Or a line of this file
https://example.com/.well-known/latchkey-app.txt
`
