import type { ErrorCode } from '@/lib/base/errors/codes'

export type Explanation = { cause: string; mend: string }

/** Explanations of all `extensions.code` values of the GraphQL API. */
export const graphqlErrorCauses: Record<ErrorCode, Explanation> = {
  UNAUTHENTICATED: {
    cause: 'No token was sent; the token is unknown, expired, or revoked; or the user is suspended.',
    mend: 'Refresh the access token. If this fails with invalid_grant, ask the user to sign in again.',
  },
  FORBIDDEN: {
    cause:
      'The user’s role in the workspace or project is too low, the token is limited to a lower role, or only users can perform the action, such as creating tokens. Another cause is that the workspace requires two-factor authentication and the token was created without it. The message states the reason. If the role is too low, `requiredRole` is the required role and `role` is the current role.',
    mend: 'Ask an admin for a higher role, or use a token without a role limit.',
  },
  TWO_FACTOR_REQUIRED: {
    cause:
      'The instance requires two-factor authentication for all users (`requireTwoFactor`), but the token was created or the app was authorized in a session without it. The request was not executed.',
    mend: 'Have the user sign in with two-factor authentication, which they can set up on the sign-in page. Then have them create the token or authorize the app again.',
  },
  INSUFFICIENT_SCOPE: {
    cause: 'The user did not grant the app the scope in `requiredScope`.',
    mend: 'Send the user through /oauth/auth again with all the scopes that you need, including the missing one. The new token has only the scopes in this request.',
  },
  RESOURCE_NOT_SHARED: {
    cause: 'The user did not select this workspace or project when they authorized the app.',
    mend: 'Request consent again with prompt=consent, or ask the user to add the workspace or project under Account > Authorized apps.',
  },
  APP_NOT_APPROVED: {
    cause:
      'The workspace does not allow the app, or does not allow it this access. `reason` is `not-approved`, `ended`, `beyond-approval`, `own-apps-only`, or `blocked`. The user’s consent is kept and takes effect again when an admin allows the app.',
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
      'The workspace or the instance requires the user’s approval for this action, or an account token was used to change two-factor methods. The request was not executed. The user can approve or deny it at `approvalUrl`, which their notifications also contain. Only this user can open the URL.',
    mend: 'Show the URL to the user. After they approve, send the same request again. If they denied it, the error is FORBIDDEN with `reason` `denied`.',
  },
  NOT_FOUND: {
    cause: 'The resource does not exist, or the caller has no access to it.',
    mend: 'Check the ID and the caller’s access. Both cases intentionally return the same error.',
  },
  BAD_USER_INPUT: {
    cause:
      'An input field is invalid. `field` contains its name, and `fields` lists all invalid fields. If the field contains several values, `at` is the path of the invalid value.',
    mend: 'Show the message, which is written for users, next to the field.',
  },
  CONFLICT: {
    cause:
      'The request conflicts with the current state: for example, a name is taken, a limit is reached, or the last admin would be removed. It can also mean that a request with the same Idempotency-Key is still running or that its response was lost.',
    mend: 'Resolve the conflict that the message describes. If `retryAfter` is set, send the same request again after that number of seconds.',
  },
  RATE_LIMITED: {
    cause:
      'The token, all of the user’s tokens together, or, for requests without a token, the IP address exceeded the limit.',
    mend: 'Wait for the number of seconds in `retryAfter` or the Retry-After header, and then send the request again.',
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
      'The query is too deep, too long, or too expensive, or it has too many aliases. If the status is 200 and `data` is null, the response was too large or took too long.',
    mend: 'Request fewer levels or smaller pages, or split the query. Changes that a mutation made before it was stopped are not rolled back.',
  },
  BAD_REQUEST: {
    cause:
      'The request is malformed: it is not JSON, has the wrong content type, is a batch, is too large, or has an Idempotency-Key that was used for another request.',
    mend: 'Send a POST request with a single JSON object that contains `query`, and the header Content-Type: application/json.',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'The database is unavailable, overloaded, or full. The request itself is valid.',
    mend: 'Send the same request again after the number of seconds in `retryAfter` or the Retry-After header.',
  },
  INTERNAL_SERVER_ERROR: {
    cause: 'The server encountered an unexpected error. The response contains no details.',
    mend: 'Try again. If the error persists, report the `traceId` to an instance admin.',
  },
}

/** Explanations of the OAuth endpoints' `error` values, with the endpoints or flows in which they occur. */
export const oauthErrorCauses: Record<string, Explanation & { where: string }> = {
  invalid_redirect_uri: {
    where: '/oauth/auth, /oauth/register',
    cause:
      'The redirect_uri does not exactly match a registered redirect URI. The response contains the value that was sent. The scheme, host, port, path, and query must be the same.',
    mend: 'Register the exact URI that your app sends. For a native app, register http://127.0.0.1/callback, which matches any port.',
  },
  invalid_client: {
    where: 'everywhere',
    cause:
      'The client no longer exists, the secret is wrong or was revoked, the client assertion is invalid (wrong key, wrong audience, or already used), or a native app sent a secret or an assertion.',
    mend: 'Check the client ID and secret. Native apps must not send a secret. Self-registered clients must register again.',
  },
  invalid_request: {
    where: 'everywhere',
    cause: 'A parameter is missing, malformed, or sent twice, or PKCE is missing or does not use S256.',
    mend: 'Correct the parameter that the description names.',
  },
  invalid_request_uri: {
    where: '/oauth/auth',
    cause: 'The request_uri from /oauth/request is unknown, was used before, or is older than 60 seconds.',
    mend: 'Push the parameters to /oauth/request for each sign-in, and use the new request_uri. URIs from other sources are not accepted.',
  },
  invalid_request_object: {
    where: '/oauth/auth, /oauth/request',
    cause:
      'The request object is not signed with one of the app’s keys, has expired, or is intended for another server.',
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
    cause:
      'The user chose Deny, went back without signing in, or can’t authorize the app, for example because it is in development.',
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
    cause: 'The server does not support this grant type, or the app can’t use it.',
    mend: 'Use authorization_code, refresh_token, or device_code. client_credentials requires an app that can be installed. Use an API token for scripts.',
  },
  authorization_pending: {
    where: '/oauth/token (device flow)',
    cause: 'The user has not yet allowed or denied access.',
    mend: 'Wait for `interval` seconds, then send the request again.',
  },
  slow_down: {
    where: '/oauth/token (device flow)',
    cause: 'The previous request was less than `interval` seconds ago.',
    mend: 'Increase the interval between all further requests by five seconds.',
  },
  expired_token: {
    where: '/oauth/token (device flow)',
    cause: 'The user did not allow or deny access within ten minutes.',
    mend: 'Start the device flow again.',
  },
  invalid_target: {
    where: '/oauth/auth, /oauth/token',
    cause:
      'The `resource` is neither this instance nor a registered API, or the user has not granted the app access to the API.',
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
    cause: 'A registration field is invalid.',
    mend: 'Correct the field that the description names.',
  },
  invalid_dpop_proof: {
    where: '/oauth/token, /oauth/me',
    cause: 'The DPoP proof is malformed, is too old, or belongs to a different request or key.',
    mend: 'Create a new proof for every request, with the request’s method and URL.',
  },
  use_dpop_nonce: {
    where: '/oauth/token, /oauth/me',
    cause: 'The DPoP proof lacks the nonce that the server requires.',
    mend: 'Send a new proof that contains the value of the DPoP-Nonce header. Libraries do this automatically.',
  },
  unsupported_token_type: {
    where: '/oauth/token/revocation',
    cause: 'Tokens of this type cannot be revoked.',
    mend: 'Revoke the access or refresh token. ID tokens expire on their own.',
  },
  temporarily_unavailable: {
    where: 'everywhere',
    cause:
      'The request is valid, but a limit was exceeded (status 429) or the database is unavailable (status 503).',
    mend: 'Wait for the number of seconds in the Retry-After header, and then send the request again.',
  },
  server_error: {
    where: 'everywhere',
    cause: 'The server encountered an unexpected error.',
    mend: 'Try again later.',
  },
}
