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
  client_id: text('The app’s client ID, or the https URL of a client ID metadata document.'),
  redirect_uri: uri('Must exactly match a registered redirect URI.'),
  response_type: { const: 'code' },
  scope: text('The scopes, separated by spaces. `openid` is required. Unknown scopes are ignored.'),
  code_challenge: text(
    'The PKCE challenge (RFC 7636). Required for public clients, recommended for web apps.',
  ),
  code_challenge_method: { const: 'S256' },
  state: text('A value that the response repeats. Verify that it is unchanged.'),
  prompt: text('`none`, `login`, `consent`, or `select_account`. A refresh token requires `consent`.'),
  nonce: text('A value that is returned in the ID token.'),
  max_age: {
    type: 'string',
    description:
      'The maximum age of the last sign-in, in seconds. If the last sign-in is older, the user must sign in again.',
  },
  login_hint: text('The email address to sign in with.'),
  id_token_hint: text('An ID token of the expected user.'),
  ui_locales: text('Preferred languages.'),
  acr_values: text('Preferred authentication contexts.'),
  display: text('The display mode for pages, such as `page`. It is accepted, but has no effect.'),
  claims: text('Individual claims to request, as JSON (OpenID Connect Core 5.5).'),
  resource: uri('The API that the access token is for (RFC 8707).'),
  response_mode: {
    type: 'string',
    enum: ['query', 'fragment', 'form_post'],
    description: 'The way in which the response is returned. Default: `query`.',
  },
  dpop_jkt: text('The thumbprint of the DPoP key that the code is bound to (RFC 9449).'),
  request: text('A signed request object with all other parameters (RFC 9101).'),
  request_uri: text(
    'The request_uri from /oauth/request. It replaces all other parameters except client_id.',
  ),
}

/**
 * The parameters that are always required. All other parameters are optional in the document, because a
 * request_uri can replace them. If a request has no request_uri and lacks a parameter that it needs, the
 * endpoint returns an error that names the parameter.
 */
const asked = new Set(['client_id'])

const query = Object.entries(parameters).map(
  ([name, schema]): Parameter => ({
    name,
    in: 'query',
    description: String(schema.description ?? 'The only supported value.'),
    required: asked.has(name),
    schema,
  }),
)

const authorize: Operation = {
  operationId: 'authorize',
  tags: ['Authorization'],
  summary: 'Ask a user to sign in and authorize an app',
  description:
    'Open this URL in the browser. The user signs in, selects workspaces and projects if a scope requires them, and ' +
    'allows or denies access. If request_uri is not sent, redirect_uri, response_type, and scope are required.',
  security: [{}],
  parameters: query,
  responses: {
    '302': redirect(
      'A redirect to the redirect_uri with `code`, `state`, and `iss` (or `error`, `error_description`, `state`, and `iss`), or to ' +
        'the sign-in or consent page.',
    ),
    '200': {
      description: 'For response_mode=form_post: a page that posts the response to the redirect_uri.',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    '400': errorByAccept(
      '`invalid_redirect_uri`, `invalid_client`, `invalid_request`, ...: errors that must not be sent to the app. ' +
        'For a self-registered app, the page has a button with which the user can continue to the app’s address.',
    ),
    '429': tooManyVisits,
    ...always,
  },
}

const authorizeByForm: Operation = {
  ...authorize,
  operationId: 'authorizeByForm',
  summary: 'Ask a user to sign in and authorize an app, with the parameters in a form',
  parameters: [],
  requestBody: { required: true, content: form({ type: 'object', properties: parameters }) },
  responses: {
    '303': redirect('A redirect to the same URL with the parameters in the query.'),
    '400': oauthError('`invalid_request`: the form cannot be parsed.'),
    '413': tooLong,
    ...always,
  },
}

const pushAuthorizationRequest: Operation = {
  operationId: 'pushAuthorizationRequest',
  tags: ['Authorization'],
  summary: 'Push authorization parameters and get a request_uri (RFC 9126)',
  description:
    'Client authentication is required only if the app has a key or requires it. Other apps can send only their client_id. If credentials are sent, they must be valid.',
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
    '201': answer('The request_uri and its lifetime in seconds.', 'PushedAuthorizationResponse', noStore),
    '400': oauthError(
      'The errors of /oauth/auth, except errors that result from the user’s decision. An unregistered redirect_uri is an `invalid_request` error.',
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
  description: 'The sign-in and consent pages use this endpoint. Clients never call it.',
  security: [{}],
  parameters: [
    {
      name: 'uid',
      in: 'path',
      required: true,
      description: 'The ID of the interaction.',
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
        'For command-line tools and devices without a browser. The user opens verification_uri on any device, enters ' +
        'the user_code, and authorizes the app. In the meantime, the client polls /oauth/token.',
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

/**
 * The alternatives for client authentication. The empty object is for public clients, which send only their
 * client ID, and for clients that send a secret or an assertion in the form.
 */
const clientAuthentication: Record<string, string[]>[] = [{ clientBasic: [] }, {}]

const badBasic = oauthError('`invalid_client`: the HTTP Basic credentials are wrong.', challenge)

const token: Operation = {
  operationId: 'token',
  tags: ['Tokens'],
  summary: 'Exchange a code, refresh token, or device code for tokens or, as an API, a token for another API',
  description:
    'Web apps authenticate with HTTP Basic credentials, with `client_secret` in the form, or with a signed `client_assertion`. Native apps send ' +
    'none of these. An API authenticates with its ID and one of its secrets. It can only exchange an access token that it received ' +
    'for an access token for another API (RFC 8693). While a device ' +
    'waits for the user, polling returns `authorization_pending`. Polling more often than `interval` returns `slow_down`.',
  security: clientAuthentication,
  parameters: [
    {
      name: 'DPoP',
      in: 'header',
      description: 'A proof of possession (RFC 9449). If it is sent, the tokens are bound to its key.',
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
  description: 'Revoking a refresh token also revokes its access tokens. An unknown token is not an error.',
  security: clientAuthentication,
  requestBody: tokenHint,
  responses: {
    '200': { description: 'The token is revoked or was unknown.' },
    '400': oauthError('`invalid_request`, `invalid_client`, `unsupported_token_type`.'),
    '401': badBasic,
    ...always,
  },
}

const introspect: Operation = {
  operationId: 'introspectToken',
  tags: ['Tokens'],
  summary: 'Check the app’s own token or, as an API, a token for the API (RFC 7662)',
  description:
    'An API authenticates with its ID and one of its secrets. Cache-Control states for how long the API can cache the response. With Accept: application/token-introspection+jwt, the response is signed (RFC 9701).',
  security: clientAuthentication,
  requestBody: tokenHint,
  responses: {
    '200': {
      description: 'The details of the token, or `{"active": false}` if it is not active.',
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
  summary: 'Get the signed-in user (UserInfo)',
  security: [{ oauth: ['openid'] }, { dpop: [] }],
  responses: {
    '200': {
      description:
        'The claims for the granted scopes, as a JWT if the client registered `userinfo_signed_response_alg`.',
      headers: noStore,
      content: {
        'application/json': { schema: ref('UserInfo') },
        'application/jwt': { schema: { type: 'string' } },
      },
    },
    '400': oauthError(
      '`invalid_request`: the request contains more than one token or a malformed header. `invalid_dpop_proof`: the DPoP proof is invalid.',
      challenge,
    ),
    '401': oauthError('`invalid_token`: the token is missing, unknown, expired, or revoked.', challenge),
    '403': oauthError('`insufficient_scope`: the scope openid was not granted.', challenge),
    ...always,
  },
}

const jwks: Operation = {
  operationId: 'jwks',
  tags: ['Metadata'],
  summary: 'Get the public keys for ID tokens',
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
      summary: 'Get the signed-in user, with the token in the header or in a form',
      requestBody: { content: form({ type: 'object', properties: { access_token: { type: 'string' } } }) },
    },
  },
  '/oauth/jwks': { get: jwks },
}
