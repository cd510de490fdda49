import type { ErrorCode } from '@/lib/base/errors/codes'

export type Explanation = { cause: string; mend: string }

/** Explanations of all `extensions.code` values of the GraphQL API. */
export const graphqlErrorCauses: Record<ErrorCode, Explanation> = {
  UNAUTHENTICATED: {
    cause:
      'No token was sent, or the token is unknown, expired, or revoked. Also returned for suspended users.',
    mend: 'Refresh the access token. If this fails with invalid_grant, ask the user to sign in again.',
  },
  FORBIDDEN: {
    cause:
      'The user’s role in the workspace or project is too low, the token is limited to a lower role, or the action is only for users, such as creating tokens. Another cause is that the workspace requires two-factor authentication and the token was created without it. The message states the reason. If the role is too low, `requiredRole` is the required role and `role` is the current one.',
    mend: 'Ask an admin for a higher role, or use a token without a role limit.',
  },
  TWO_FACTOR_REQUIRED: {
    cause:
      'The instance requires two-factor authentication for all users (`requireTwoFactor`), but the token was created or the app was authorized in a session without it. The request was not executed.',
    mend: 'Have the user sign in with two-factor authentication, which the sign-in page helps to set up. Then have them create the token or authorize the app again.',
  },
  INSUFFICIENT_SCOPE: {
    cause: 'The app was not granted the scope in `requiredScope`.',
    mend: 'Send the user through /oauth/auth again with all the scopes you need, including the missing one. The new token has only the scopes that this request contains.',
  },
  RESOURCE_NOT_SHARED: {
    cause: 'The user did not select this workspace or project on the consent page.',
    mend: 'Request consent again with prompt=consent, or ask the user to add the workspace or project under Account > Authorized apps.',
  },
  APP_NOT_APPROVED: {
    cause:
      'The workspace does not allow the app or this type of access. `reason` is `not-approved`, `ended`, `beyond-approval`, `own-apps-only`, or `blocked`. The user’s consent is kept and takes effect again when an admin allows the app.',
    mend: 'Send the user through /oauth/auth again. They can request approval on the consent page. Admins change an approval under Settings > Apps.',
  },
  APP_AWAITING_APPROVAL: {
    cause: 'An instance admin must approve this self-registered app before users can authorize it.',
    mend: 'Ask an instance admin to approve the app.',
  },
  APP_IN_DEVELOPMENT: {
    cause: 'The app is in development, and the user or workspace does not belong to the app’s own workspace.',
    mend: 'Ask the app’s admins to move the app to production or to add the user to the app’s workspace.',
  },
  APPROVAL_REQUIRED: {
    cause:
      'The workspace or the instance requires the user’s approval for this action, or an account token tried to change two-factor methods. The request was not executed. The user can approve or deny it at `approvalUrl`, which is also in their notifications. Only that user can open the URL.',
    mend: 'Show the URL to the user, then send the same request again. FORBIDDEN with `reason` `denied` means that the user denied the request.',
  },
  NOT_FOUND: {
    cause: 'The resource does not exist, or the caller has no access to it.',
    mend: 'Check the ID. Both cases intentionally return the same error.',
  },
  BAD_USER_INPUT: {
    cause:
      'An input field is invalid. `field` contains its name, and `fields` lists all invalid fields. If the field has several values, `at` is the path of the invalid one.',
    mend: 'Show the message, which is written for users, next to the field.',
  },
  CONFLICT: {
    cause:
      'The request conflicts with the current state: for example, a name is taken, a limit is reached, or the last admin would be removed. It can also mean that a request with the same Idempotency-Key is still running or that its response was lost.',
    mend: 'The message states the conflict. If `retryAfter` is set, send the same request again after that many seconds.',
  },
  RATE_LIMITED: {
    cause:
      'The token, or all tokens of the user together, exceeded the limit. For requests without a token, the IP address exceeded the limit.',
    mend: 'Wait for the number of seconds in `retryAfter` and the Retry-After header.',
  },
  GRAPHQL_PARSE_FAILED: {
    cause: 'The query is not valid GraphQL. `locations` contains the position of the error.',
    mend: 'Correct the query. Pass values as variables.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    cause: 'A field, argument, or variable does not match the schema.',
    mend: 'Check the names and types in the reference or with introspection.',
  },
  QUERY_TOO_COMPLEX: {
    cause:
      'The query is too deep, too long, or too expensive, or has too many aliases. With status 200 and `data: null`, the response became too large or took too long.',
    mend: 'Request fewer levels or smaller pages, or split the query. Changes that a mutation made before it was stopped are not rolled back.',
  },
  BAD_REQUEST: {
    cause:
      'The request is malformed: it is not JSON, has the wrong content type, is a batch or too large, or has an Idempotency-Key that was used for another request.',
    mend: 'Send a POST request with a single JSON object that contains `query`, and the header Content-Type: application/json.',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'The database is unavailable, overloaded, or full. The request itself is valid.',
    mend: 'Send the same request again after the number of seconds in `retryAfter` and the Retry-After header.',
  },
  INTERNAL_SERVER_ERROR: {
    cause: 'Something failed on our side. Details are not returned.',
    mend: 'Try again. If it keeps happening, report the `traceId`.',
  },
}

/** Explanations of the OAuth endpoints' `error` values, with the endpoints that return them. */
export const oauthErrorCauses: Record<string, Explanation & { where: string }> = {
  invalid_redirect_uri: {
    where: '/oauth/auth, /oauth/register',
    cause:
      'The redirect_uri, which the response repeats, does not exactly match a registered redirect URI. The scheme, host, port, path, and query must be the same.',
    mend: 'Register the exact URI that your app sends. For a native app, register http://127.0.0.1/callback. Any port then works.',
  },
  invalid_client: {
    where: 'everywhere',
    cause:
      'The client no longer exists, the secret is wrong or revoked, the client assertion is invalid (wrong key, wrong audience, or already used), or a native app sent a secret or an assertion.',
    mend: 'Check the client ID and secret. Native apps must not send a secret. Self-registered clients must register again.',
  },
  invalid_request: {
    where: 'everywhere',
    cause: 'A parameter is missing, malformed, or sent twice, or PKCE is missing or does not use S256.',
    mend: 'The description names the parameter.',
  },
  invalid_request_uri: {
    where: '/oauth/auth',
    cause: 'The request_uri from /oauth/request is unknown, was used before, or is older than 60 seconds.',
    mend: 'Push the parameters to /oauth/request again for every sign-in. No other request_uri is accepted.',
  },
  invalid_request_object: {
    where: '/oauth/auth, /oauth/request',
    cause:
      'The signed request is not signed with one of the app’s keys, has expired, or is for another server.',
    mend: 'Sign the request with a registered key and RS256, PS256, ES256, or EdDSA. Include iss (the client ID), aud (the issuer), and exp.',
  },
  invalid_scope: {
    where: '/oauth/auth, /oauth/token',
    cause:
      'The scope openid is missing, scopes are separated by commas, or a refresh requested scopes that were not granted.',
    mend: 'Add openid, and separate scopes with spaces. For more scopes, send the user through /oauth/auth again.',
  },
  unsupported_response_type: {
    where: '/oauth/auth',
    cause: 'Only response_type=code is supported.',
    mend: 'Use the authorization code flow with PKCE.',
  },
  access_denied: {
    where: 'redirect, device flow',
    cause: 'The user chose Deny.',
    mend: 'Continue without access, or let the user try again.',
  },
  login_required: {
    where: 'redirect',
    cause: 'The request has prompt=none, but no user is signed in.',
    mend: 'Send the request again without prompt=none.',
  },
  consent_required: {
    where: 'redirect',
    cause: 'The request has prompt=none, but the user has not consented yet.',
    mend: 'Send the request again without prompt=none.',
  },
  invalid_grant: {
    where: '/oauth/token',
    cause:
      'The code or refresh token is unknown, expired, used, or revoked, or belongs to another app. It can also mean that redirect_uri or code_verifier does not match the authorization request. The description states the reason.',
    mend: 'Start a new sign-in. A code is valid for 60 seconds and can be used once. Always store the latest refresh token.',
  },
  unauthorized_client: {
    where: '/oauth/token, /oauth/device/auth',
    cause:
      'The app is not registered for this grant type. Only APIs can use token exchange, and they can use no other grant type.',
    mend: 'Register the app with that grant type.',
  },
  unsupported_grant_type: {
    where: '/oauth/token',
    cause: 'The grant type is not authorization_code, refresh_token, or device_code.',
    mend: 'Password and implicit grants are not supported, and client_credentials requires an app that can be installed. Use an API token for scripts.',
  },
  authorization_pending: {
    where: '/oauth/token (device flow)',
    cause: 'The user has not decided yet.',
    mend: 'Wait for `interval` seconds, then send the request again.',
  },
  slow_down: {
    where: '/oauth/token (device flow)',
    cause: 'The previous request was less than `interval` seconds ago.',
    mend: 'From now on, wait five seconds longer between requests.',
  },
  expired_token: {
    where: '/oauth/token (device flow)',
    cause: 'The user did not decide within ten minutes.',
    mend: 'Start the device flow again.',
  },
  invalid_target: {
    where: '/oauth/auth, /oauth/token',
    cause:
      'The `resource` is neither this service nor a registered API, or the user has not granted the app access to that API.',
    mend: 'Send the URL of the GraphQL endpoint or the API’s identifier, or omit the parameter.',
  },
  invalid_token: {
    where: '/oauth/me, /oauth/register/{client_id}',
    cause: 'The token is missing, expired, or revoked.',
    mend: 'Refresh the token. To manage a registered client, use its registration access token.',
  },
  insufficient_scope: {
    where: '/oauth/me',
    cause: 'The access token was granted without openid.',
    mend: 'Request the scope openid.',
  },
  invalid_client_metadata: {
    where: '/oauth/register',
    cause: 'A registration field is not acceptable.',
    mend: 'The description names the field.',
  },
  invalid_dpop_proof: {
    where: '/oauth/token, /oauth/me',
    cause: 'The DPoP proof is malformed, too old, or for a different request or key.',
    mend: 'Create a new proof for every request, with the request’s method and URL.',
  },
  use_dpop_nonce: {
    where: '/oauth/token, /oauth/me',
    cause: 'The DPoP proof lacks the nonce that the server requires.',
    mend: 'Send the proof again with the value of the DPoP-Nonce header. Libraries do this automatically.',
  },
  unsupported_token_type: {
    where: '/oauth/token/revocation',
    cause: 'Tokens of this type cannot be revoked.',
    mend: 'Revoke the access or refresh token. ID tokens expire on their own.',
  },
  temporarily_unavailable: {
    where: 'everywhere',
    cause:
      'With status 429, a limit was exceeded. With status 503, the database is unavailable. The request itself is valid.',
    mend: 'Wait for the number of seconds in the Retry-After header.',
  },
  server_error: {
    where: 'everywhere',
    cause: 'Something failed on our side.',
    mend: 'Try again later.',
  },
}
