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
