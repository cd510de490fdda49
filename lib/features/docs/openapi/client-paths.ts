import {
  always,
  answer,
  challenge,
  errorByAccept,
  form,
  json,
  noStore,
  oauthError,
  page,
  redirect,
  tooMany,
  tooManyVisits,
} from './answers'
import { type Operation, type PathItem, type Schema, text, uri } from './types'

const authorizationServer = (operationId: string, summary: string): PathItem => ({
  get: {
    operationId,
    tags: ['Metadata'],
    summary,
    security: [{}],
    responses: { '200': answer('The endpoints, keys, and scopes.', 'AuthorizationServerMetadata') },
  },
})

const protectedResource = (operationId: string, summary: string): PathItem => ({
  get: {
    operationId,
    tags: ['Metadata'],
    summary,
    security: [{}],
    responses: { '200': answer('The API and the issuers of its tokens.', 'ProtectedResourceMetadata') },
  } satisfies Operation,
})

/** The metadata documents, at all paths where clients look for them. */
export const metadataPaths: Record<string, PathItem> = {
  '/oauth/.well-known/openid-configuration': authorizationServer(
    'openidConfiguration',
    'Discovery (OpenID Connect Discovery 1.0)',
  ),
  '/oauth/.well-known/oauth-authorization-server': authorizationServer(
    'authorizationServerBelowIssuer',
    'The same document below the issuer',
  ),
  '/.well-known/oauth-authorization-server/oauth': authorizationServer(
    'authorizationServerMetadata',
    'The same document at the path from RFC 8414',
  ),
  '/.well-known/openid-configuration/oauth': authorizationServer(
    'openidConfigurationByRfc8414',
    'The same document at the path from RFC 8414 section 5',
  ),
  '/.well-known/oauth-authorization-server': authorizationServer(
    'authorizationServerAtRoot',
    'The same document for clients that omit the issuer’s path',
  ),
  '/.well-known/oauth-protected-resource': protectedResource(
    'protectedResourceMetadata',
    'The API and the issuers of its tokens (RFC 9728)',
  ),
  '/.well-known/oauth-protected-resource/graphql/v2': protectedResource(
    'graphqlResourceMetadata',
    'The same document for the GraphQL endpoint',
  ),
  '/.well-known/oauth-protected-resource/mcp': protectedResource(
    'mcpResourceMetadata',
    'The same document for agents’ tools',
  ),
}

const security = [{ registrationToken: [] }]

const parameters = [
  {
    name: 'client_id',
    in: 'path' as const,
    required: true,
    description: 'The client ID of the registered client.',
    schema: { type: 'string' },
  },
]

const refused = {
  '400': oauthError('`invalid_redirect_uri`, `invalid_client_metadata` or `invalid_request`.', noStore),
  '413': oauthError('`invalid_client_metadata`: the request body exceeds 8 KiB.'),
}

const notOwner = {
  '401': oauthError('`invalid_token`: the token is not this client’s registration access token.', challenge),
}

const register: Operation = {
  operationId: 'registerClient',
  tags: ['Registration'],
  summary: 'Register a client without an account (RFC 7591)',
  description:
    'The number of registrations per IP address is limited. If an instance admin disables registration, the metadata contains no `registration_endpoint`. Clients that no user has authorized are deleted after 14 days.',
  security: [{}],
  requestBody: { required: true, content: json('ClientRegistrationRequest') },
  responses: {
    '201': answer('The client, with its registration access token.', 'ClientRegistrationResponse', noStore),
    ...refused,
    '403': oauthError('`access_denied`: dynamic client registration is disabled.'),
    '429': tooMany,
    ...always,
  },
}

const read: Operation = {
  operationId: 'readClient',
  tags: ['Registration'],
  summary: 'Read a registered client (RFC 7592)',
  security,
  parameters,
  responses: {
    '200': answer('The registered client.', 'ClientRegistrationResponse', noStore),
    '400': oauthError('`invalid_request`: no token.'),
    ...notOwner,
    ...always,
  },
}

const update: Operation = {
  operationId: 'updateClient',
  tags: ['Registration'],
  summary: 'Replace the metadata of a registered client (RFC 7592)',
  description: 'The number of updates per IP address is limited.',
  security,
  parameters,
  requestBody: { required: true, content: json('ClientRegistrationRequest') },
  responses: {
    '200': answer('The updated client.', 'ClientRegistrationResponse', noStore),
    ...refused,
    ...notOwner,
    '429': tooMany,
    ...always,
  },
}

const remove: Operation = {
  operationId: 'deleteClient',
  tags: ['Registration'],
  summary: 'Delete a registered client with its authorizations and tokens (RFC 7592)',
  security,
  parameters,
  responses: {
    '204': { description: 'The client was deleted.' },
    '400': oauthError('`invalid_request`: no token.'),
    ...notOwner,
    ...always,
  },
}

export const registrationPaths: Record<string, PathItem> = {
  '/oauth/register': { post: register },
  '/oauth/register/{client_id}': { get: read, put: update, delete: remove },
}

const parametersOfLogout: Record<string, Schema> = {
  id_token_hint: text('An ID token that was issued for the user. It also identifies the app.'),
  client_id: text('The client ID of the app, if no id_token_hint is sent.'),
  post_logout_redirect_uri: uri('The registered URI to redirect the user to after the sign-out.'),
  state: text('Returned unchanged.'),
  logout_hint: text('The user to sign out.'),
  ui_locales: text('Preferred languages.'),
}

const signOut: Operation = {
  operationId: 'endSession',
  tags: ['Authorization'],
  summary: 'Sign the user out (OpenID Connect RP-Initiated Logout)',
  description:
    'Open this URL in the browser. The user must confirm, unless an app that was registered in the console sends an ID token of this ' +
    'session and a registered post_logout_redirect_uri. Before a redirect without confirmation to a dynamically registered app, ' +
    'a page shows the host of the URI.',
  security: [{}],
  parameters: Object.entries(parametersOfLogout).map(([name, schema]) => ({
    name,
    in: 'query',
    description: String(schema.description),
    schema,
  })),
  responses: {
    '200': page('A page that asks for confirmation or shows the host of the redirect URI.'),
    '302': redirect('A redirect to the post_logout_redirect_uri, if no confirmation is required.'),
    '400': errorByAccept('`invalid_request` or `invalid_client`: the user was not signed out.'),
    '429': tooManyVisits,
    ...always,
  },
}

export const logoutPaths: Record<string, PathItem> = {
  '/oauth/session/end': {
    get: signOut,
    post: {
      ...signOut,
      operationId: 'endSessionByForm',
      summary: 'Sign the user out, with the parameters in a form',
      parameters: [],
      requestBody: { content: form({ type: 'object', properties: parametersOfLogout }) },
      responses: {
        '303': redirect('A redirect to the same URL with the parameters in the query.'),
        '400': oauthError('`invalid_request`: the form cannot be parsed.'),
        '413': oauthError('`invalid_request`: the request body exceeds 16 KiB.'),
        ...always,
      },
    },
  },
}
