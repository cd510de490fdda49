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
  SECOND_FACTOR_REQUIRED: {
    cause:
      'The service demands a second factor of everybody (`SECOND_FACTOR`), and the token was made, or the app let in, in a session without one. Nothing of the request was done.',
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
    cause: 'The app registered itself, and an operator has to approve it before anybody can authorize it.',
    mend: 'Ask an operator to approve it.',
  },
  APP_IN_DEVELOPMENT: {
    cause:
      'The app is marked as in development, and the person or the workspace is not of the workspace that runs it.',
    mend: 'Ask whoever runs the app to take the mark off, or to add the person to its workspace.',
  },
  APPROVAL_REQUIRED: {
    cause:
      'The workspace or the operator wants the person asked before an app does this, or an account token changes second factors. Nothing was done. `approvalUrl` is the page where they approve or deny it, which is in their notifications too; it opens for them alone.',
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
