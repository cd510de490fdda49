import { scopeTable } from '@/lib/policy/scopes'
import { type Header, type MediaTypes, type Response, ref, type Schema } from './types'

/** Headers, bodies, and responses that many operations share. */

export const json = (name: string): MediaTypes => ({ 'application/json': { schema: ref(name) } })

/** Returns the content of a request body with form-encoded parameters. */
export const form = (schema: Schema): MediaTypes => ({ 'application/x-www-form-urlencoded': { schema } })

const header = (description: string, required = true, schema: Schema = { type: 'string' }): Header => ({
  description,
  required,
  schema,
})

export const noStore = {
  'cache-control': header('`no-store`, or the time for which an API can cache the response.'),
}
const location = { location: header('The URL to redirect to.') }
export const challenge = {
  'www-authenticate': header(
    'The authentication scheme, the error, and, for the API, the URL of its metadata (RFC 9728).',
  ),
}
export const retryAfter = {
  'retry-after': header('The number of seconds to wait before the next attempt.', true, {
    type: 'string',
    pattern: '^\\d+$',
  }),
}
export const traceId = { 'x-trace-id': header('The ID of this request in the logs.') }
export const rateLimit = {
  'x-ratelimit-limit': header('The maximum number of requests per hour with this token.', false),
  'x-ratelimit-remaining': header('The number of requests left in this hour.', false),
  'x-ratelimit-reset': header('The Unix timestamp at which the count is reset.', false),
}

/** Returns a response whose body is a JSON object with the named schema. */
export const answer = (description: string, name: string, headers?: Record<string, Header>): Response => ({
  description,
  ...(headers ? { headers } : {}),
  content: json(name),
})

/** Returns a response with an OAuth error as JSON. */
export const oauthError = (description: string, headers?: Record<string, Header>): Response =>
  answer(description, 'Error', headers)

/** Returns a response with an OAuth error as an HTML page or as JSON, depending on the Accept header. */
export const errorByAccept = (description: string): Response => ({
  description,
  content: { ...json('Error'), 'text/html': { schema: { type: 'string' } } },
})

/** The response if an IP address exceeds the limit for browsers that are not signed in. */
export const tooManyVisits: Response = {
  ...errorByAccept(
    '`temporarily_unavailable`: browsers that are not signed in sent too many requests from this IP address.',
  ),
  headers: retryAfter,
}

export const redirect = (description: string): Response => ({ description, headers: location })

export const page = (description: string): Response => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
})

/** The error responses that all OAuth endpoints share, except the endpoints for metadata and public keys. */
export const always: Record<string, Response> = {
  '500': errorByAccept('`server_error`: an unexpected error occurred.'),
  '503': {
    ...errorByAccept('`temporarily_unavailable`: the database is unavailable, overloaded, or full.'),
    headers: retryAfter,
  },
}

/**
 * The response if the body exceeds the size limit of the authorization endpoint or of an endpoint that stores
 * a request.
 */
export const tooLong = oauthError('`invalid_request`: the request body exceeds 16 KiB.')

export const tooMany = oauthError('`temporarily_unavailable`: a limit was exceeded.', retryAfter)

const scopes = Object.fromEntries(Object.entries(scopeTable).map(([name, { sentence }]) => [name, sentence]))

/**
 * Returns the OpenAPI definitions of the authentication methods (docs/api/contract.md, sections 2 and 5).
 * @param baseUrl the instance's origin
 */
export const securitySchemes = (baseUrl: string): Record<string, Schema> => ({
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An account, workspace, or project token from the account settings.',
  },
  oauth: {
    type: 'oauth2',
    description: 'An OAuth access token, sent as a bearer token. Get it with PKCE and S256. See /docs.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}/oauth/auth`,
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes,
      },
    },
  },
  openIdConnect: {
    type: 'openIdConnect',
    openIdConnectUrl: `${baseUrl}/oauth/.well-known/openid-configuration`,
  },
  dpop: { type: 'http', scheme: 'DPoP', description: 'An access token that is bound to a key (RFC 9449).' },
  projectToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Project-Access-Token',
    description: 'A project token.',
  },
  clientBasic: {
    type: 'http',
    scheme: 'basic',
    description: 'The client ID and client secret of a web app.',
  },
  registrationToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A dynamically registered client’s registration access token.',
  },
})
