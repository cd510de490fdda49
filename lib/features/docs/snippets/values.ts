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
