import {
  always,
  answer,
  challenge,
  errorByAccept,
  form,
  json,
  noStore,
  oauthError,
  redirect,
  tooLong,
  tooMany,
  tooManyVisits,
} from './answers'
import { clientCredentials } from './oauth-schemas'
import { type Operation, type Parameter, type PathItem, ref, type Schema, text, uri } from './types'

const parameters: Record<string, Schema> = {
  client_id: text('The OAuth app, or the https URL of a client-ID metadata document.'),
  redirect_uri: uri('Must exactly match a registered one.'),
  response_type: { const: 'code' },
  scope: text('Space-separated. `openid` is required; unknown scopes are ignored.'),
  code_challenge: text('PKCE (RFC 7636). Required for public clients, recommended for web apps.'),
  code_challenge_method: { const: 'S256' },
  state: text('Returned unchanged; verify it.'),
  prompt: text('`none`, `login`, `consent`, `select_account`. A refresh token needs `consent`.'),
  nonce: text('Returned in the id_token.'),
  max_age: { type: 'string', description: 'Require a new sign-in if the last one is older, in seconds.' },
  login_hint: text('The email address to sign in with.'),
  id_token_hint: text('An id_token of the user expected.'),
  ui_locales: text('Preferred languages.'),
  acr_values: text('Preferred authentication contexts.'),
  display: text('`page` and its like; without effect.'),
  claims: text('Single claims asked for, as JSON (OpenID Connect Core 5.5).'),
  resource: uri('The API the access token is for (RFC 8707).'),
  response_mode: {
    type: 'string',
    enum: ['query', 'fragment', 'form_post'],
    description: 'How the response is returned. Default: `query`.',
  },
  dpop_jkt: text('Binds the code to a DPoP key (RFC 9449).'),
  request: text('A signed request object with all other parameters (RFC 9101).'),
  request_uri: text('From /oauth/request. Replaces all other parameters except client_id.'),
}

/** Parameters that are required unless a request_uri replaces them. The endpoint's error names the missing one. */
const asked = new Set(['client_id'])

const query = Object.entries(parameters).map(
  ([name, schema]): Parameter => ({
    name,
    in: 'query',
    description: String(schema.description ?? 'The one value that is supported.'),
    required: asked.has(name),
    schema,
  }),
)

const authorize: Operation = {
  operationId: 'authorize',
  tags: ['Authorization'],
  summary: 'Ask a user to sign in and authorize an app',
  description:
    'Opened in the browser. The user signs in, selects workspaces and projects where a scope asks for them, and ' +
    'authorizes or denies. Without request_uri the parameters redirect_uri, response_type and scope are required.',
  security: [{}],
  parameters: query,
  responses: {
    '302': redirect(
      'To the redirect_uri with `code`, `state` and `iss` (or `error`, `error_description`, `state` and `iss`), or to ' +
        'the sign-in and consent pages first.',
    ),
    '200': {
      description: 'With response_mode=form_post: a page that posts the response to the redirect_uri.',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    '400': errorByAccept(
      '`invalid_redirect_uri`, `invalid_client`, `invalid_request`, ...: errors that must not be sent to the app, ' +
        'or on which a self-registered app’s address is left to the user (a page with a button).',
    ),
    '429': tooManyVisits,
    ...always,
  },
}

const authorizeByForm: Operation = {
  ...authorize,
  operationId: 'authorizeByForm',
  summary: 'The same with the parameters in a form',
  parameters: [],
  requestBody: { required: true, content: form({ type: 'object', properties: parameters }) },
  responses: {
    '303': redirect('To the same address with the parameters in the query.'),
    '400': oauthError('`invalid_request`: the form cannot be read.'),
    '413': tooLong,
    ...always,
  },
}

const pushAuthorizationRequest: Operation = {
  operationId: 'pushAuthorizationRequest',
  tags: ['Authorization'],
  summary: 'Push the parameters and get a request_uri (RFC 9126)',
  description:
    'A client_id suffices, unless the app has a key or demands authentication. Credentials that are sent must be right.',
  security: [{}, { clientBasic: [] }],
  requestBody: {
    required: true,
    content: form({
      type: 'object',
      properties: { ...parameters, ...clientCredentials },
      additionalProperties: true,
    }),
  },
  responses: {
    '201': answer('The request_uri and its lifetime.', 'PushedAuthorizationResponse', noStore),
    '400': oauthError(
      'The errors of /oauth/auth, before a user is involved. A redirect_uri that is not registered is `invalid_request` here.',
      noStore,
    ),
    '401': oauthError('`invalid_client`: the HTTP Basic credentials are wrong.'),
    '413': tooLong,
    '429': tooMany,
    ...always,
  },
}

const resume: Operation = {
  operationId: 'resumeAuthorization',
  tags: ['Authorization'],
  summary: 'Continue after the sign-in or consent page',
  description: 'Used by the sign-in and consent pages. Clients never call it.',
  security: [{}],
  parameters: [
    {
      name: 'uid',
      in: 'path',
      required: true,
      description: 'Names the interaction.',
      schema: { type: 'string' },
    },
  ],
  responses: authorize.responses,
}

export const authorizationPaths: Record<string, PathItem> = {
  '/oauth/auth': { get: authorize, post: authorizeByForm },
  '/oauth/auth/{uid}': { get: resume },
  '/oauth/request': { post: pushAuthorizationRequest },
}

export const devicePaths: Record<string, PathItem> = {
  '/oauth/device/auth': {
    post: {
      operationId: 'authorizeDevice',
      tags: ['Authorization'],
      summary: 'Start the device flow (RFC 8628)',
      description:
        'For command-line tools and devices without a browser. The user opens verification_uri on any device, types ' +
        'the user_code and authorizes; meanwhile the client polls /oauth/token.',
      security: [{ clientBasic: [] }, {}],
      requestBody: { required: true, content: form(ref('DeviceAuthorizationRequest')) },
      responses: {
        '200': answer('The codes.', 'DeviceAuthorizationResponse', noStore),
        '400': oauthError(
          '`invalid_request`, `invalid_client`, `unauthorized_client`, `invalid_scope`, `invalid_target`.',
          noStore,
        ),
        '401': oauthError('`invalid_client`: the HTTP Basic credentials are wrong.', challenge),
        '413': tooLong,
        '429': tooMany,
        ...always,
      },
    },
  },
}

/** Public clients send only their client_id, so one alternative is empty. */
const clientAuthentication: Record<string, string[]>[] = [{ clientBasic: [] }, {}]

const badBasic = oauthError('`invalid_client`: the HTTP Basic credentials are wrong.', challenge)

const token: Operation = {
  operationId: 'token',
  tags: ['Tokens'],
  summary:
    'Exchange a code, a refresh token or a device code for tokens, or as an API a token for another API',
  description:
    'Web apps send HTTP Basic credentials, `client_secret` in the form, or a signed `client_assertion`; native apps send ' +
    'neither. An API authenticates with its ID and one of its secrets, and can only exchange an access token that it received ' +
    'for one of another API (RFC 8693). While a device ' +
    'waits for the user, polling answers `authorization_pending`; polling faster than `interval`, `slow_down`.',
  security: clientAuthentication,
  parameters: [
    {
      name: 'DPoP',
      in: 'header',
      description: 'A proof of possession (RFC 9449); the tokens are then bound to its key.',
      schema: { type: 'string' },
    },
  ],
  requestBody: { required: true, content: form(ref('TokenRequest')) },
  responses: {
    '200': answer('The tokens.', 'TokenResponse', noStore),
    '400': oauthError(
      '`invalid_request`, `invalid_grant`, `invalid_client`, `unauthorized_client`, `unsupported_grant_type`, ' +
        '`invalid_scope`, `invalid_target`, `invalid_dpop_proof`, `use_dpop_nonce`, `authorization_pending`, ' +
        '`slow_down`, `expired_token`, `access_denied`.',
      noStore,
    ),
    '401': badBasic,
    ...always,
  },
}

const tokenHint = { required: true, content: form(ref('TokenHint')) }

const revoke: Operation = {
  operationId: 'revokeToken',
  tags: ['Tokens'],
  summary: 'Revoke a token (RFC 7009)',
  description:
    'Ending a refresh token ends its access tokens as well. A token that is not there is no error.',
  security: clientAuthentication,
  requestBody: tokenHint,
  responses: {
    '200': { description: 'The token no longer works.' },
    '400': oauthError('`invalid_request`, `invalid_client`, `unsupported_token_type`.'),
    '401': badBasic,
    ...always,
  },
}

const introspect: Operation = {
  operationId: 'introspectToken',
  tags: ['Tokens'],
  summary: "Ask about one's own token, or as an API about a token for it (RFC 7662)",
  description:
    'An API authenticates with its ID and one of its secrets. Cache-Control tells it how long to use the answer. With Accept: application/token-introspection+jwt, its answer is signed (RFC 9701).',
  security: clientAuthentication,
  requestBody: tokenHint,
  responses: {
    '200': {
      description: 'What the token is, or that it is not active.',
      headers: noStore,
      content: {
        ...json('IntrospectionResponse'),
        'application/token-introspection+jwt': { schema: { type: 'string' } },
      },
    },
    '400': oauthError('`invalid_request`, `invalid_client`.', noStore),
    '401': badBasic,
    ...always,
  },
}

const userInfo: Operation = {
  operationId: 'userInfo',
  tags: ['Tokens'],
  summary: 'Get the user (UserInfo)',
  security: [{ oauth: ['openid'] }, { dpop: [] }],
  responses: {
    '200': {
      description:
        'The claims of the granted scopes, as a JWT if the client registered `userinfo_signed_response_alg`.',
      headers: noStore,
      content: {
        'application/json': { schema: ref('UserInfo') },
        'application/jwt': { schema: { type: 'string' } },
      },
    },
    '400': oauthError(
      '`invalid_request`: more than one token, or a malformed header; `invalid_dpop_proof`.',
      challenge,
    ),
    '401': oauthError('`invalid_token`: no token, or one that is unknown, expired or revoked.', challenge),
    '403': oauthError('`insufficient_scope`: openid was not granted.', challenge),
    ...always,
  },
}

const jwks: Operation = {
  operationId: 'jwks',
  tags: ['Metadata'],
  summary: 'Public keys of ID tokens',
  security: [{}],
  responses: {
    '200': {
      description: 'The keys.',
      content: {
        'application/jwk-set+json': { schema: ref('JwkSet') },
        'application/json': { schema: ref('JwkSet') },
      },
    },
  },
}

export const tokenPaths: Record<string, PathItem> = {
  '/oauth/token': { post: token },
  '/oauth/token/revocation': { post: revoke },
  '/oauth/token/introspection': { post: introspect },
  '/oauth/me': {
    get: userInfo,
    post: {
      ...userInfo,
      operationId: 'userInfoByPost',
      summary: 'The same with the token in the header or in a form',
      requestBody: { content: form({ type: 'object', properties: { access_token: { type: 'string' } } }) },
    },
  },
  '/oauth/jwks': { get: jwks },
}
