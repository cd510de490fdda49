/**
 * The one table of errors: each code with its HTTP status at a plain HTTP endpoint and at POST /graphql/v2
 * (docs/contract.md, section 2: authorization failures of GraphQL are 200, malformed requests 400), and the default message.
 */
export const errorCodes = {
  UNAUTHENTICATED: { http: 401, graphql: 200, message: 'Sign in or send a valid token.' },
  FORBIDDEN: { http: 403, graphql: 200, message: 'Your role does not allow this.' },
  SECOND_FACTOR_REQUIRED: { http: 403, graphql: 200, message: 'This service asks for a second factor.' },
  INSUFFICIENT_SCOPE: { http: 403, graphql: 200, message: 'The token lacks a scope this needs.' },
  RESOURCE_NOT_SHARED: { http: 403, graphql: 200, message: 'This resource was not shared with the token.' },
  APP_NOT_APPROVED: { http: 403, graphql: 200, message: 'The workspace does not let this app in.' },
  APP_IN_DEVELOPMENT: {
    http: 403,
    graphql: 200,
    message: 'This app is in development: only members of its workspace can authorize it.',
  },
  APP_AWAITING_APPROVAL: {
    http: 403,
    graphql: 200,
    message: 'This app registered itself and waits for the approval of an operator of this service.',
  },
  APPROVAL_REQUIRED: { http: 401, graphql: 200, message: 'This action requires the user’s approval.' },
  NOT_FOUND: { http: 404, graphql: 200, message: 'Nothing was found here.' },
  BAD_USER_INPUT: { http: 400, graphql: 200, message: 'Some of the input is not valid.' },
  CONFLICT: { http: 409, graphql: 200, message: 'This conflicts with what is already there.' },
  RATE_LIMITED: { http: 429, graphql: 429, message: 'Too many requests. Try again later.' },
  GRAPHQL_PARSE_FAILED: { http: 400, graphql: 400, message: 'The query could not be parsed.' },
  GRAPHQL_VALIDATION_FAILED: { http: 400, graphql: 400, message: 'The query does not fit the schema.' },
  QUERY_TOO_COMPLEX: { http: 400, graphql: 400, message: 'The query asks for too much at once.' },
  BAD_REQUEST: { http: 400, graphql: 400, message: 'The request is malformed.' },
  SERVICE_UNAVAILABLE: {
    http: 503,
    graphql: 503,
    message: 'The service cannot answer at the moment. Try again shortly.',
  },
  INTERNAL_SERVER_ERROR: { http: 500, graphql: 200, message: 'Something went wrong on our side.' },
} as const

export type ErrorCode = keyof typeof errorCodes
