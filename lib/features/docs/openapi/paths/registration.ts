import { always, answer, challenge, json, noStore, oauthError, tooMany } from '../answers'
import type { Operation, PathItem } from '../types'

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
    'Limited per address, and off where the operator says so; the metadata names no `registration_endpoint` then. Clients that nobody ever authorized are removed after 14 days.',
  security: [{}],
  requestBody: { required: true, content: json('ClientRegistrationRequest') },
  responses: {
    '201': answer('The client, with its registration access token.', 'ClientRegistrationResponse', noStore),
    ...refused,
    '403': oauthError('`access_denied`: the operator lets no app register itself.'),
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
    '204': { description: 'It is gone.' },
    '400': oauthError('`invalid_request`: no token.'),
    ...notOwner,
    ...always,
  },
}

export const registrationPaths: Record<string, PathItem> = {
  '/oauth/register': { post: register },
  '/oauth/register/{client_id}': { get: read, put: update, delete: remove },
}
