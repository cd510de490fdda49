import { shellWord } from './quote'
import type { SnippetValues } from './values'

/** Single requests, each run by a test as it stands. */

export const graphqlSnippet = ({
  baseUrl,
  accessToken,
}: SnippetValues): string => `curl ${baseUrl}/graphql/v2 \\
  -H 'Authorization: Bearer ${accessToken}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "query": "{ me { id name email } }" }'
`

export const projectsSnippet = ({
  baseUrl,
  accessToken,
}: SnippetValues): string => `curl ${baseUrl}/graphql/v2 \\
  -H 'Authorization: Bearer ${accessToken}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "query": "query ($n: Int) { projects(first: $n) { edges { node { id name } } } }", "variables": { "n": 10 } }'
`

/** Goes on until it is stopped. */
export const followSnippet = ({
  baseUrl,
  accessToken,
}: SnippetValues): string => `curl -N ${baseUrl}/graphql/v2 \\
  -H 'Authorization: Bearer ${accessToken}' \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: text/event-stream' \\
  -d '{ "query": "subscription { notificationCreated { id title } }" }'
`

export const userInfoSnippet = ({
  baseUrl,
  accessToken,
}: SnippetValues): string => `curl ${baseUrl}/oauth/me \\
  -H 'Authorization: Bearer ${accessToken}'
`

export const refreshSnippet = ({
  baseUrl,
  clientId,
  refreshToken,
}: SnippetValues): string => `curl ${baseUrl}/oauth/token \\
  -d grant_type=refresh_token \\
  -d refresh_token=${refreshToken} \\
  -d client_id=${clientId}
`

export const refreshWithSecretSnippet = (
  values: SnippetValues,
): string => `curl ${values.baseUrl}/oauth/token \\
  -u ${values.clientId}:${values.clientSecret} \\
  -d grant_type=refresh_token \\
  -d refresh_token=${values.refreshToken}
`

export const revokeSnippet = ({
  baseUrl,
  clientId,
  refreshToken,
}: SnippetValues): string => `curl ${baseUrl}/oauth/token/revocation \\
  -d token=${refreshToken} \\
  -d client_id=${clientId}
`

export const introspectSnippet = ({
  baseUrl,
  clientId,
  accessToken,
}: SnippetValues): string => `curl ${baseUrl}/oauth/token/introspection \\
  -d token=${accessToken} \\
  -d client_id=${clientId}
`

export const pushSnippet = ({
  baseUrl,
  clientId,
  redirectUri,
}: SnippetValues): string => `curl ${baseUrl}/oauth/request \\
  -u ${shellWord(clientId)}:"$CLIENT_SECRET" \\
  -d ${shellWord(`client_id=${clientId}`)} \\
  -d response_type=code \\
  --data-urlencode ${shellWord(`redirect_uri=${redirectUri}`)} \\
  --data-urlencode 'scope=openid email' \\
  -d code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM \\
  -d code_challenge_method=S256
`

export const registerSnippet = ({ baseUrl }: SnippetValues): string => `curl ${baseUrl}/oauth/register \\
  -H 'Content-Type: application/json' \\
  -d '{
    "client_name": "My agent",
    "redirect_uris": ["http://127.0.0.1/callback"],
    "grant_types": ["authorization_code", "refresh_token"],
    "token_endpoint_auth_method": "none"
  }'
`

export const challengeSnippet = ({ baseUrl }: SnippetValues): string => `curl -i ${baseUrl}/graphql/v2 \\
  -H 'Content-Type: application/json' \\
  -d '{ "query": "{ me { id } }" }'
`

export const resourceMetadataSnippet = ({ baseUrl }: SnippetValues): string =>
  `curl ${baseUrl}/.well-known/oauth-protected-resource/graphql/v2
`

export const serverMetadataSnippet = ({ baseUrl }: SnippetValues): string =>
  `curl ${baseUrl}/.well-known/oauth-authorization-server/oauth
`
