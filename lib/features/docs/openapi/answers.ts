import { scopeTable } from '@/lib/policy/scopes'
import { type Header, type MediaTypes, type Response, ref, type Schema } from './types'

/** Answers that many operations share, with descriptions from each operation. */

export const json = (name: string): MediaTypes => ({ 'application/json': { schema: ref(name) } })

/** The body of a request that is an HTML form or is encoded like one. */
export const form = (schema: Schema): MediaTypes => ({ 'application/x-www-form-urlencoded': { schema } })

const header = (description: string, required = true, schema: Schema = { type: 'string' }): Header => ({
  description,
  required,
  schema,
})

export const noStore = { 'cache-control': header('`no-store`, or for how long an API can use the answer.') }
const location = { location: header('Where to go.') }
export const challenge = {
  'www-authenticate': header('The scheme, the error and, at the API, where its metadata is (RFC 9728).'),
}
export const retryAfter = {
  'retry-after': header('Seconds until another try makes sense.', true, {
    type: 'string',
    pattern: '^\\d+$',
  }),
}
export const traceId = { 'x-trace-id': header('Names this request in the logs.') }
export const rateLimit = {
  'x-ratelimit-limit': header('Requests an hour for this token.', false),
  'x-ratelimit-remaining': header('Requests left in this hour.', false),
  'x-ratelimit-reset': header('When the count restarts, in seconds since 1970.', false),
}

/** A JSON object of the named kind. */
export const answer = (description: string, name: string, headers?: Record<string, Header>): Response => ({
  description,
  ...(headers ? { headers } : {}),
  content: json(name),
})

/** An OAuth error as JSON. */
export const oauthError = (description: string, headers?: Record<string, Header>): Response =>
  answer(description, 'Error', headers)

/** An OAuth error as an HTML page or as JSON, depending on the Accept header. */
export const errorByAccept = (description: string): Response => ({
  description,
  content: { ...json('Error'), 'text/html': { schema: { type: 'string' } } },
})

/** A limit for each IP address, which applies to browsers without a session. */
export const tooManyVisits: Response = {
  ...errorByAccept(
    '`temporarily_unavailable`: too many requests from this address of browsers that are not signed in.',
  ),
  headers: retryAfter,
}

export const redirect = (description: string): Response => ({ description, headers: location })

export const page = (description: string): Response => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
})

/** Answers that every OAuth endpoint can return. */
export const always: Record<string, Response> = {
  '500': errorByAccept('`server_error`: something failed on our side.'),
  '503': {
    ...errorByAccept('`temporarily_unavailable`: the database is away, overloaded or full.'),
    headers: retryAfter,
  },
}

/** The form exceeds the size limit of the authorization endpoint and of endpoints that store a request. */
export const tooLong = oauthError('`invalid_request`: more than 16 KiB.')

export const tooMany = oauthError('`temporarily_unavailable`: a limit is reached.', retryAfter)

const scopes = Object.fromEntries(Object.entries(scopeTable).map(([name, { sentence }]) => [name, sentence]))

/**
 * The authentication methods (docs/api/contract.md, sections 2 and 5).
 * @param baseUrl the service's origin
 */
export const securitySchemes = (baseUrl: string): Record<string, Schema> => ({
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An account, workspace or project token, created in the account settings.',
  },
  oauth: {
    type: 'oauth2',
    description: 'An OAuth access token as a bearer token. PKCE with S256; see /docs.',
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
  dpop: { type: 'http', scheme: 'DPoP', description: 'An access token bound to a key (RFC 9449).' },
  projectToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Project-Access-Token',
    description: 'A project token.',
  },
  clientBasic: { type: 'http', scheme: 'basic', description: 'Client id and client secret of a web app.' },
  registrationToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The registration access token of a dynamically registered client.',
  },
})
