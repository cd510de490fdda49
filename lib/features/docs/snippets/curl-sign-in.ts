import { shellWord } from './quote'
import type { SnippetValues } from './values'

/**
 * A sign-in by hand. What comes up on the way is in environment variables: CLIENT_SECRET, CODE, DEVICE_CODE and
 * ACCESS_TOKEN. Each of these is run by a test.
 */

/** The address to open in a browser. It is for apps that need not push their requests. */
export const authorizationAddress = ({ baseUrl, clientId, redirectUri }: SnippetValues): string =>
  `${baseUrl}/oauth/auth?${new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email',
  })}\n`

/**
 * Pushes the request (RFC 9126 section 2). The client authenticates as at the token endpoint; `client_id` is a parameter of
 * the request all the same.
 */
export const pushRequestSnippet = (values: SnippetValues): string => `curl ${values.baseUrl}/oauth/request \\
  -u ${shellWord(values.clientId)}:"$CLIENT_SECRET" \\
  -d ${shellWord(`client_id=${values.clientId}`)} \\
  -d response_type=code \\
  --data-urlencode ${shellWord(`redirect_uri=${values.redirectUri}`)} \\
  --data-urlencode 'scope=openid email'
`

/** The address to open in a browser once the request was pushed; its end is the answer's `request_uri`. */
export const pushedAddress = ({ baseUrl, clientId }: SnippetValues): string =>
  `${baseUrl}/oauth/auth?${new URLSearchParams({ client_id: clientId })}&request_uri=REQUEST_URI\n`

/** The code for tokens (RFC 6749 section 4.1.3). */
export const exchangeCodeSnippet = (values: SnippetValues): string => `curl ${values.baseUrl}/oauth/token \\
  -u ${shellWord(values.clientId)}:"$CLIENT_SECRET" \\
  -d grant_type=authorization_code \\
  -d code="$CODE" \\
  --data-urlencode ${shellWord(`redirect_uri=${values.redirectUri}`)}
`

/** Asks for a code that a person types in (RFC 8628 section 3.1). */
export const deviceCodeSnippet = ({
  baseUrl,
  clientId,
}: SnippetValues): string => `curl ${baseUrl}/oauth/device/auth \\
  -d ${shellWord(`client_id=${clientId}`)} \\
  --data-urlencode 'scope=openid email'
`

/** Asks whether the person has decided (RFC 8628 section 3.4). */
export const pollDeviceSnippet = ({
  baseUrl,
  clientId,
}: SnippetValues): string => `curl ${baseUrl}/oauth/token \\
  -d grant_type=urn:ietf:params:oauth:grant-type:device_code \\
  -d device_code="$DEVICE_CODE" \\
  -d ${shellWord(`client_id=${clientId}`)}
`

/** Who signed in, as the UserInfo endpoint tells. */
export const whoSignedInSnippet = ({ baseUrl }: SnippetValues): string => `curl ${baseUrl}/oauth/me \\
  -H "Authorization: Bearer $ACCESS_TOKEN"
`
