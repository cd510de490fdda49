import {
  always,
  answer,
  errorByAccept,
  form,
  noStore,
  oauthError,
  redirect,
  tooLong,
  tooMany,
  tooManyVisits,
} from '../answers'
import { clientCredentials } from '../schemas/oauth'
import { text, uri } from '../schemas/text'
import type { Operation, Parameter, PathItem, Schema } from '../types'

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
  max_age: { type: 'string', description: 'Sign in anew when the last sign-in is older, in seconds.' },
  login_hint: text('The e-mail address to sign in with.'),
  id_token_hint: text('An id_token of the person expected.'),
  ui_locales: text('Preferred languages.'),
  acr_values: text('Preferred authentication contexts.'),
  display: text('`page` and its like; without effect.'),
  claims: text('Single claims asked for, as JSON (OpenID Connect Core 5.5).'),
  resource: uri('The API the access token is for (RFC 8707).'),
  response_mode: {
    type: 'string',
    enum: ['query', 'fragment', 'form_post'],
    description: 'How the answer comes back; `query` unless given.',
  },
  dpop_jkt: text('Binds the code to a DPoP key (RFC 9449).'),
  request: text('A signed request object with all other parameters (RFC 9101).'),
  request_uri: text('From /oauth/request; stands for all other parameters but client_id.'),
}

/** Required by name, unless a request_uri stands for them; the endpoint itself says which is missing. */
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
  summary: 'Ask a person to sign in and to let an app in',
  description:
    'Opened in the browser. The person signs in, selects workspaces and projects where a scope asks for them, and ' +
    'authorizes or denies. Without request_uri the parameters redirect_uri, response_type and scope are required.',
  security: [{}],
  parameters: query,
  responses: {
    '302': redirect(
      'To the redirect_uri with `code`, `state` and `iss` (or `error`, `error_description`, `state` and `iss`), or to ' +
        'the sign-in and consent pages first.',
    ),
    '200': {
      description: 'With response_mode=form_post: a page that posts the answer to the redirect_uri.',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    '400': errorByAccept(
      '`invalid_redirect_uri`, `invalid_client`, `invalid_request`, ...: errors that must not be sent to the app, ' +
        'or on which a self-registered app’s address is left to the person (a page with a button).',
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
  summary: 'Leave the parameters here and get a request_uri (RFC 9126)',
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
      'The errors of /oauth/auth, before a person is involved. A redirect_uri that is not registered is `invalid_request` here.',
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
  summary: 'Go on after the sign-in or consent page',
  description: 'Where our own pages lead back to. Clients never call it.',
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
