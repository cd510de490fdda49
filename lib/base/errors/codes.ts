/**
 * All error codes with their HTTP statuses and default messages. `graphql` is the status for POST
 * /graphql/v2, and `http` is the status for all other endpoints. GraphQL returns authorization failures with
 * status 200 and malformed requests with 400 (docs/api/contract.md, section 2).
 */
export const errorCodes = {
  UNAUTHENTICATED: { http: 401, graphql: 200, message: 'Sign in or send a valid token.' },
  FORBIDDEN: { http: 403, graphql: 200, message: 'Your role doesn’t allow this action.' },
  TWO_FACTOR_REQUIRED: {
    http: 403,
    graphql: 200,
    message: 'This instance requires two-factor authentication.',
  },
  INSUFFICIENT_SCOPE: { http: 403, graphql: 200, message: 'The token lacks a required scope.' },
  RESOURCE_NOT_SHARED: {
    http: 403,
    graphql: 200,
    message: 'This token doesn’t have access to this resource.',
  },
  APP_NOT_APPROVED: {
    http: 403,
    graphql: 200,
    message: 'This workspace doesn’t allow this app. Ask a workspace admin to approve it.',
  },
  APP_IN_DEVELOPMENT: {
    http: 403,
    graphql: 200,
    message: 'This app is in development. Only members of its workspace can authorize it.',
  },
  APP_AWAITING_APPROVAL: {
    http: 403,
    graphql: 200,
    message: 'This app registered itself. An instance admin must approve it before users can authorize it.',
  },
  APPROVAL_REQUIRED: { http: 401, graphql: 200, message: 'This action requires the user’s approval.' },
  NOT_FOUND: {
    http: 404,
    graphql: 200,
    message: 'The resource was not found, or you don’t have access to it.',
  },
  BAD_USER_INPUT: {
    http: 400,
    graphql: 200,
    message: 'The input is invalid. Check the values and try again.',
  },
  CONFLICT: {
    http: 409,
    graphql: 200,
    message: 'The change conflicts with existing data. Reload and try again.',
  },
  RATE_LIMITED: { http: 429, graphql: 429, message: 'Too many requests. Try again later.' },
  GRAPHQL_PARSE_FAILED: {
    http: 400,
    graphql: 400,
    message: 'The query could not be parsed. Check its syntax.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    http: 400,
    graphql: 400,
    message: 'The query doesn’t match the schema. Check its fields and arguments.',
  },
  QUERY_TOO_COMPLEX: {
    http: 400,
    graphql: 400,
    message: 'The query is too complex. Request fewer fields or items.',
  },
  BAD_REQUEST: { http: 400, graphql: 400, message: 'The request is malformed.' },
  SERVICE_UNAVAILABLE: {
    http: 503,
    graphql: 503,
    message: 'The service is temporarily unavailable. Try again shortly.',
  },
  INTERNAL_SERVER_ERROR: {
    http: 500,
    graphql: 200,
    message: 'Something went wrong on our side. Try again later.',
  },
} as const

export type ErrorCode = keyof typeof errorCodes
