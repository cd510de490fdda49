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
    responses: { '200': answer('Every endpoint, the keys and the scopes.', 'AuthorizationServerMetadata') },
  },
})

const protectedResource = (operationId: string, summary: string): PathItem => ({
  get: {
    operationId,
    tags: ['Metadata'],
    summary,
    security: [{}],
    responses: { '200': answer('Which issuer to ask for a token.', 'ProtectedResourceMetadata') },
  } satisfies Operation,
})

/** The same document at every address where clients look for it. */
export const metadataPaths: Record<string, PathItem> = {
  '/oauth/.well-known/openid-configuration': authorizationServer(
    'openidConfiguration',
    'Discovery (OpenID Connect Discovery 1.0)',
  ),
  '/oauth/.well-known/oauth-authorization-server': authorizationServer(
    'authorizationServerBelowIssuer',
    'The same below the issuer',
  ),
  '/.well-known/oauth-authorization-server/oauth': authorizationServer(
    'authorizationServerMetadata',
    'The same where RFC 8414 puts it',
  ),
  '/.well-known/openid-configuration/oauth': authorizationServer(
    'openidConfigurationByRfc8414',
    'The same where RFC 8414 section 5 puts it',
  ),
  '/.well-known/oauth-authorization-server': authorizationServer(
    'authorizationServerAtRoot',
    'The same for clients that drop the path of the issuer',
  ),
  '/.well-known/oauth-protected-resource': protectedResource(
    'protectedResourceMetadata',
    'The API and who gives tokens for it (RFC 9728)',
  ),
  '/.well-known/oauth-protected-resource/graphql/v2': protectedResource(
    'graphqlResourceMetadata',
    'The same for the GraphQL endpoint',
  ),
  '/.well-known/oauth-protected-resource/mcp': protectedResource(
    'mcpResourceMetadata',
    'The same for agents’ tools',
  ),
}

const security = [{ registrationToken: [] }]

const parameters = [
  {
    name: 'client_id',
    in: 'path' as const,
    required: true,
    description: 'The registered client.',
    schema: { type: 'string' },
  },
]

const refused = {
  '400': oauthError('`invalid_redirect_uri`, `invalid_client_metadata` or `invalid_request`.', noStore),
  '413': oauthError('`invalid_client_metadata`: more than 8 KiB.'),
}

const notOwner = {
  '401': oauthError('`invalid_token`: not the registration access token of this client.', challenge),
}

const register: Operation = {
  operationId: 'registerClient',
  tags: ['Registration'],
  summary: 'Register a client without an account (RFC 7591)',
  description:
    'Rate limited per address. If the instance admin disables registration, the metadata contains no `registration_endpoint`. Clients that no user has authorized are removed after 14 days.',
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
    '200': answer('The client.', 'ClientRegistrationResponse', noStore),
    '400': oauthError('`invalid_request`: no token.'),
    ...notOwner,
    ...always,
  },
}

const update: Operation = {
  operationId: 'updateClient',
  tags: ['Registration'],
  summary: 'Replace the metadata of a registered client (RFC 7592)',
  security,
  parameters,
  requestBody: { required: true, content: json('ClientRegistrationRequest') },
  responses: {
    '200': answer('The client as it is now.', 'ClientRegistrationResponse', noStore),
    ...refused,
    ...notOwner,
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
  id_token_hint: text('An id_token of the user; names the app as well.'),
  client_id: text('The app, when no id_token is sent.'),
  post_logout_redirect_uri: uri('A registered one; where to go afterwards.'),
  state: text('Returned unchanged.'),
  logout_hint: text('Whom to sign out.'),
  ui_locales: text('Preferred languages.'),
}

const signOut: Operation = {
  operationId: 'endSession',
  tags: ['Authorization'],
  summary: 'Sign the user out (OpenID Connect RP-Initiated Logout)',
  description:
    'Opened in the browser. Requires confirmation, unless an app registered in the console sends an ID token of this ' +
    'session and a registered post_logout_redirect_uri. Before an unconfirmed redirect to a dynamically registered app, ' +
    'a page shows the host.',
  security: [{}],
  parameters: Object.entries(parametersOfLogout).map(([name, schema]) => ({
    name,
    in: 'query',
    description: String(schema.description),
    schema,
  })),
  responses: {
    '200': page('A page that asks for confirmation, or that shows the host of the redirect.'),
    '302': redirect('To post_logout_redirect_uri, if no confirmation is required.'),
    '400': errorByAccept('`invalid_request`, `invalid_client`: nothing was done.'),
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
      summary: 'The same with the parameters in a form',
      parameters: [],
      requestBody: { content: form({ type: 'object', properties: parametersOfLogout }) },
      responses: {
        '303': redirect('To the same address with the parameters in the query.'),
        '400': oauthError('`invalid_request`: the form cannot be read.'),
        '413': oauthError('`invalid_request`: more than 16 KiB.'),
        ...always,
      },
    },
  },
}
