import type { ErrorCode } from '@/lib/base/errors/codes'

export type Explanation = { cause: string; mend: string }

/** Every `extensions.code` of the GraphQL API in the words of the docs. */
export const graphqlErrorCauses: Record<ErrorCode, Explanation> = {
  UNAUTHENTICATED: {
    cause:
      'No token was sent, or it is unknown, expired or revoked. A person who was suspended counts the same.',
    mend: 'Refresh the access token; when that fails with invalid_grant, ask the person to sign in again.',
  },
  FORBIDDEN: {
    cause:
      'The person’s current role in the workspace or project is too low, or the token is capped below it. Or only the person may do it, such as making tokens, or the workspace asks for two factors and the token was made without. The message says which; where a role is missing, `requiredRole` is the one it takes and `role` the one there is.',
    mend: 'Ask an admin for a higher role, or use a token that is not capped.',
  },
  TWO_FACTOR_REQUIRED: {
    cause:
      'The service demands a second factor of everybody (`requireTwoFactor`), and the token was made, or the app let in, in a session without one. Nothing of the request was done.',
    mend: 'The person signs in with a second factor, which the sign-in leads them to set up, and makes the token, or lets the app in, once more.',
  },
  INSUFFICIENT_SCOPE: {
    cause: 'The app was not granted the scope in `requiredScope`.',
    mend: 'Send the person through /oauth/auth again with all the scopes you need, that one included: the new token has the scopes of its own request alone.',
  },
  RESOURCE_NOT_SHARED: {
    cause: 'The person did not select this workspace or project on the consent page.',
    mend: 'Ask again with prompt=consent, or let the person add it under Account > Authorized apps.',
  },
  APP_NOT_APPROVED: {
    cause:
      'The workspace does not let the app in, or not so far. `reason` says which: `not-approved`, `ended`, `beyond-approval`, `own-apps-only` or `blocked`. The person’s consent stays, and counts again once an admin lets the app in.',
    mend: 'Send the person through /oauth/auth again: the consent page asks an admin for them. What the workspace approved the app for, its admins change under Settings > Apps.',
  },
  APP_AWAITING_APPROVAL: {
    cause:
      'The app registered itself, and an instance admin has to approve it before anybody can authorize it.',
    mend: 'Ask an instance admin to approve it.',
  },
  APP_IN_DEVELOPMENT: {
    cause:
      'The app is marked as in development, and the person or the workspace is not of the workspace that runs it.',
    mend: 'Ask whoever runs the app to take the mark off, or to add the person to its workspace.',
  },
  APPROVAL_REQUIRED: {
    cause:
      'The workspace or the instance admin wants the person asked before an app does this, or an account token changes second factors. Nothing was done. `approvalUrl` is the page where they approve or deny it, which is in their notifications too; it opens for them alone.',
    mend: 'Show the person the address, then send the same request again. FORBIDDEN with `reason` `denied` means that they said no.',
  },
  NOT_FOUND: {
    cause: 'It does not exist, or it is something this caller may not know of.',
    mend: 'Check the id. Both cases look the same on purpose.',
  },
  BAD_USER_INPUT: {
    cause:
      'An input is not valid; `field` names it and `fields` lists all of them. Where it holds several values, `at` leads to the one that is meant.',
    mend: 'Show the message beside the field; it is written for people.',
  },
  CONFLICT: {
    cause:
      'It collides with something that is already there, such as a name that is taken, the last admin, or as many of its kind as there may be. Or a request with the same Idempotency-Key is still being carried out, or its answer was lost.',
    mend: 'The message says with what. With `retryAfter`, send the same request again after so many seconds.',
  },
  RATE_LIMITED: {
    cause:
      'The token has used up its requests for now, or the tokens of its person together; without a token, the address has.',
    mend: 'Wait for as many seconds as `retryAfter` and the Retry-After header say.',
  },
  GRAPHQL_PARSE_FAILED: {
    cause: 'The query is not GraphQL; `locations` says where.',
    mend: 'Correct the text. Values belong into variables, not into the text.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    cause: 'A field, argument or variable does not fit the schema.',
    mend: 'Read the schema by introspection or in the reference; check names and types.',
  },
  QUERY_TOO_COMPLEX: {
    cause:
      'The query is too deep or too long, has too many aliases, or would cost too much; or, with status 200 and `data: null`, its answer became too large or took too long.',
    mend: 'Ask for fewer levels or smaller pages, or split the query. What a mutation had changed before it was ended stays changed.',
  },
  BAD_REQUEST: {
    cause:
      'The request itself is malformed: not JSON, another content type, a batch, too large, or with an Idempotency-Key that came with another request before.',
    mend: 'POST one JSON object with `query`, and the header Content-Type: application/json.',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'The database is away, overloaded or full. Nothing is wrong with the request.',
    mend: 'Send the same request again after as many seconds as `retryAfter` and the Retry-After header say.',
  },
  INTERNAL_SERVER_ERROR: {
    cause: 'Something failed on our side. Nothing about it is told to callers.',
    mend: 'Try again; if it stays, report the `traceId`.',
  },
}

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
