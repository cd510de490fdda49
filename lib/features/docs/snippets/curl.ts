import { jsString, type SnippetValues, shellWord } from './values'

/** Commands for single requests. A test runs each command unchanged. */

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

/** Returns a command that prints a subscription's events until the user stops the command. */
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

/**
 * The commands and URLs for a manual sign-in. The commands read the client secret and the results of earlier
 * steps from the environment variables CLIENT_SECRET, CODE, DEVICE_CODE, and ACCESS_TOKEN. A test runs each
 * command.
 */

/** Returns the authorization URL to open in a browser if the app does not push its requests. */
export const authorizationAddress = ({ baseUrl, clientId, redirectUri }: SnippetValues): string =>
  `${baseUrl}/oauth/auth?${new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email',
  })}\n`

/**
 * Returns a command that pushes an authorization request (RFC 9126 section 2). The client authenticates as at
 * the token endpoint, but must also send `client_id`.
 */
export const pushRequestSnippet = (values: SnippetValues): string => `curl ${values.baseUrl}/oauth/request \\
  -u ${shellWord(values.clientId)}:"$CLIENT_SECRET" \\
  -d ${shellWord(`client_id=${values.clientId}`)} \\
  -d response_type=code \\
  --data-urlencode ${shellWord(`redirect_uri=${values.redirectUri}`)} \\
  --data-urlencode 'scope=openid email'
`

/**
 * Returns the URL to open in a browser after the request is pushed. The user must replace the placeholder
 * REQUEST_URI in the URL with the `request_uri` from the response.
 */
export const pushedAddress = ({ baseUrl, clientId }: SnippetValues): string =>
  `${baseUrl}/oauth/auth?${new URLSearchParams({ client_id: clientId })}&request_uri=REQUEST_URI\n`

/** Returns a command that exchanges the code for tokens (RFC 6749 section 4.1.3). */
export const exchangeCodeSnippet = (values: SnippetValues): string => `curl ${values.baseUrl}/oauth/token \\
  -u ${shellWord(values.clientId)}:"$CLIENT_SECRET" \\
  -d grant_type=authorization_code \\
  -d code="$CODE" \\
  --data-urlencode ${shellWord(`redirect_uri=${values.redirectUri}`)}
`

/** Returns a command that requests a code for the user to enter (RFC 8628 section 3.1). */
export const deviceCodeSnippet = ({
  baseUrl,
  clientId,
}: SnippetValues): string => `curl ${baseUrl}/oauth/device/auth \\
  -d ${shellWord(`client_id=${clientId}`)} \\
  --data-urlencode 'scope=openid email'
`

/** Returns a command that polls once for the user's decision (RFC 8628 section 3.4). */
export const pollDeviceSnippet = ({
  baseUrl,
  clientId,
}: SnippetValues): string => `curl ${baseUrl}/oauth/token \\
  -d grant_type=urn:ietf:params:oauth:grant-type:device_code \\
  -d device_code="$DEVICE_CODE" \\
  -d ${shellWord(`client_id=${clientId}`)}
`

/** Returns a command that gets the signed-in user from the UserInfo endpoint. */
export const whoSignedInSnippet = ({ baseUrl }: SnippetValues): string => `curl ${baseUrl}/oauth/me \\
  -H "Authorization: Bearer $ACCESS_TOKEN"
`

/** Returns a program that verifies an ID token. docs/verify-tokens shows it, and a test runs it. */
export const verifyIdTokenSnippet = ({
  baseUrl,
  clientId,
}: SnippetValues): string => `import { createRemoteJWKSet, jwtVerify } from 'jose'

// Caches the keys, and fetches them again if a token is signed with an unknown key.
const keys = createRemoteJWKSet(new URL(${jsString(`${baseUrl}/oauth/jwks`)}))

const { payload } = await jwtVerify(process.env.ID_TOKEN, keys, {
  issuer: ${jsString(`${baseUrl}/oauth`)},
  audience: ${jsString(clientId)},
  algorithms: ['RS256', 'ES256', 'EdDSA'],
})
if (payload.nonce !== process.env.NONCE) throw new Error('This ID token belongs to another sign-in.')
console.log(\`The account is \${payload.sub}\`)
`
