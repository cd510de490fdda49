/** The values in a snippet: the reader's own values if they are known, or descriptive placeholders. */
export type SnippetValues = {
  /** The instance's origin. */
  baseUrl: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** Whether the app accepts only pushed authorization requests. */
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

/**
 * The redirect URI of a native desktop app. It contains a loopback address without a port, so it matches any
 * port.
 */
export const loopbackRedirectUri = 'http://127.0.0.1/callback'

/**
 * Returns the code of the option that allows plain http, which openid-client rejects by default. Returns an
 * empty string if the instance uses https.
 * @param before the code that precedes the option in the call
 */
export const overHttp = ({ baseUrl }: SnippetValues, before: string): string =>
  baseUrl.startsWith('http:') ? `${before}{ execute: [oidc.allowInsecureRequests] },\n` : ''

/**
 * Returns the beginning of the openid-client call that builds the authorization URL. If the app must push its
 * authorization requests (RFC 9126), the call pushes the request first.
 */
export const authorizationUrlCall = ({ pushed }: SnippetValues): string =>
  pushed ? 'await oidc.buildAuthorizationUrlWithPAR' : 'oidc.buildAuthorizationUrl'

/**
 * Functions that escape values in code that users paste and run. Admins choose an app's redirect URIs, and
 * the query of a URI can contain quotes, backslashes, backticks, and `$`. A snippet must contain these values
 * as text, never as code.
 */

/** Returns a single-quoted JavaScript string literal that evaluates to exactly the given text. */
export const jsString = (text: string): string =>
  `'${text.replace(/[^\x20-\x7e]|['\\]/g, (character) =>
    /['\\]/.test(character)
      ? `\\${character}`
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}'`

/**
 * Returns a single-quoted argument for a POSIX shell command. Only single quotes in the text must be escaped.
 */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Returns whether openid-client sends this redirect URI to the token endpoint unchanged. The library removes
 * the query and normalizes the URI, so only a normalized URI without a query stays the same.
 */
const isRepeated = (uri: string): boolean => !uri.includes('?') && new URL(uri).href === uri

/**
 * Returns code that sends the original redirect URI to the token endpoint, which requires the unchanged URI
 * (RFC 6749 section 4.1.3). Returns an empty string if openid-client does not change the URI.
 */
export const exactRedirectUri = ({ redirectUri }: SnippetValues): string =>
  isRepeated(redirectUri)
    ? ''
    : `
// The library changes the redirect URI, but the server requires the URI exactly as registered.
config[oidc.customFetch] = (url, options) => {
  if (options.body?.has?.('redirect_uri')) options.body.set('redirect_uri', redirectUri)
  return fetch(url, options)
}
`

/**
 * Returns an example of a GraphQL response with an error. A test validates the example against the OpenAPI
 * document.
 */
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

/**
 * Returns examples of the two places where the proof of a domain can be published: a TXT record and a file.
 * In practice, the value after `latchkey-app=` is different for each app.
 */
export const domainProofSnippet = (): string => `# A TXT record
_latchkey.example.com.  TXT  "latchkey-app=…"

# Or a line in this file
https://example.com/.well-known/latchkey-app.txt
`
