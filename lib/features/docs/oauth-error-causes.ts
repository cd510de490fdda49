import type { Explanation } from './graphql-error-causes'

/** The `error` values of the OAuth endpoints, with where they are met, in the words of the docs. */
export const oauthErrorCauses: Record<string, Explanation & { where: string }> = {
  invalid_redirect_uri: {
    where: '/oauth/auth, /oauth/register',
    cause:
      'The redirect_uri, which the answer repeats, is not exactly one of those registered: scheme, host, port, path and query all count.',
    mend: 'Register the very address your app sends. For a native app register http://127.0.0.1/callback; any port then works.',
  },
  invalid_client: {
    where: 'everywhere',
    cause:
      'The client does not exist any more, a secret is wrong or revoked, a client assertion is not signed by a key of the app, for this server and used for the first time, or a native app sent either.',
    mend: 'Check client id and secret. A native app sends no secret at all. A self-registered client registers again.',
  },
  invalid_request: {
    where: 'everywhere',
    cause: 'A parameter is missing, malformed or sent twice; PKCE is missing or not S256.',
    mend: 'The description names the parameter.',
  },
  invalid_request_uri: {
    where: '/oauth/auth',
    cause: 'The request_uri from /oauth/request is unknown, was used before, or is older than 60 seconds.',
    mend: 'Leave the parameters at /oauth/request anew for every sign-in. No other request_uri is taken.',
  },
  invalid_request_object: {
    where: '/oauth/auth, /oauth/request',
    cause:
      'The signed request is not signed by a key of the app, has expired, or is meant for another server.',
    mend: 'Sign it with a registered key by RS256, PS256, ES256 or EdDSA, with iss (the client id), aud (the issuer) and exp.',
  },
  invalid_scope: {
    where: '/oauth/auth, /oauth/token',
    cause:
      'The scope openid is missing, scopes are separated by commas, or a refresh asked for more than was granted.',
    mend: 'Add openid; separate scopes by spaces. For more scopes send the person through /oauth/auth again.',
  },
  unsupported_response_type: {
    where: '/oauth/auth',
    cause: 'Only response_type=code is supported.',
    mend: 'Use the authorization code flow with PKCE.',
  },
  access_denied: {
    where: 'redirect, device flow',
    cause: 'The person chose Deny.',
    mend: 'Go on without, or offer to try again.',
  },
  login_required: {
    where: 'redirect',
    cause: 'prompt=none was sent and nobody is signed in.',
    mend: 'Ask again without prompt=none.',
  },
  consent_required: {
    where: 'redirect',
    cause: 'prompt=none was sent and the person has not agreed to this yet.',
    mend: 'Ask again without prompt=none.',
  },
  invalid_grant: {
    where: '/oauth/token',
    cause:
      'The code or refresh token is unknown, expired, used, revoked, or another app’s; or redirect_uri or code_verifier differ from the first request. The description says which.',
    mend: 'Start a new sign-in. A code lives 60 seconds and works once; always keep the newest refresh token.',
  },
  unauthorized_client: {
    where: '/oauth/token, /oauth/device/auth',
    cause: 'The app is not registered for this grant.',
    mend: 'Register it with that grant type.',
  },
  unsupported_grant_type: {
    where: '/oauth/token',
    cause: 'The grant is none of authorization_code, refresh_token and device_code.',
    mend: 'Client credentials, password and implicit grants are not offered; use an API token for scripts.',
  },
  authorization_pending: {
    where: '/oauth/token (device flow)',
    cause: 'The person has not decided yet.',
    mend: 'Wait for `interval` seconds and ask again.',
  },
  slow_down: {
    where: '/oauth/token (device flow)',
    cause: 'The last question was less than `interval` seconds ago.',
    mend: 'Wait five seconds longer between questions from now on.',
  },
  expired_token: {
    where: '/oauth/token (device flow)',
    cause: 'Ten minutes have passed without a decision.',
    mend: 'Start the device flow anew.',
  },
  invalid_target: {
    where: '/oauth/auth, /oauth/token',
    cause: 'The `resource` is none of this service.',
    mend: 'Send the address of the GraphQL endpoint, or leave it out.',
  },
  invalid_token: {
    where: '/oauth/me, /oauth/register/{client_id}',
    cause: 'The token is missing, expired or revoked.',
    mend: 'Refresh it. For a registered client: only its registration access token works.',
  },
  insufficient_scope: {
    where: '/oauth/me',
    cause: 'The access token was granted without openid.',
    mend: 'Ask for openid.',
  },
  invalid_client_metadata: {
    where: '/oauth/register',
    cause: 'A field of the registration cannot be accepted.',
    mend: 'The description names it.',
  },
  invalid_dpop_proof: {
    where: '/oauth/token, /oauth/me',
    cause: 'The DPoP proof is malformed, too old, or for another request or key.',
    mend: 'Make a new proof for every request, with its method and address.',
  },
  use_dpop_nonce: {
    where: '/oauth/token, /oauth/me',
    cause: 'The DPoP proof lacks the nonce that the server wants.',
    mend: 'Send the proof again with the value of the DPoP-Nonce header. Libraries do this by themselves.',
  },
  unsupported_token_type: {
    where: '/oauth/token/revocation',
    cause: 'Tokens of this kind cannot be revoked.',
    mend: 'Revoke the access or refresh token; an id_token simply expires.',
  },
  temporarily_unavailable: {
    where: 'everywhere',
    cause:
      'With status 429 a limit is reached; with 503 the database is away. Nothing is wrong with the request.',
    mend: 'Wait for as many seconds as the Retry-After header says.',
  },
  server_error: {
    where: 'everywhere',
    cause: 'Something failed on our side.',
    mend: 'Try again later.',
  },
}
