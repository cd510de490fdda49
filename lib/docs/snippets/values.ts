/** What a snippet is filled with: the reader's own values where they are known, speaking placeholders otherwise. */
export type SnippetValues = {
  /** The service's origin. */
  baseUrl: string
  clientId: string
  clientSecret: string
  redirectUri: string
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

/** openid-client refuses plain http unless told otherwise; only a service on one's own machine has it. */
export const overHttp = ({ baseUrl }: SnippetValues, before: string): string =>
  baseUrl.startsWith('http:') ? `${before}{ execute: [oidc.allowInsecureRequests] },\n` : ''
