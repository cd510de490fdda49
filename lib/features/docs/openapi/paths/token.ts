import { always, answer, challenge, form, noStore, oauthError } from '../answers'
import { ref } from '../schemas/text'
import type { Operation, PathItem } from '../types'

/** Public clients send their client_id alone, hence the empty alternative. */
const clientAuthentication: Record<string, string[]>[] = [{ clientBasic: [] }, {}]

const badBasic = oauthError('`invalid_client`: the HTTP Basic credentials are wrong.', challenge)

const token: Operation = {
  operationId: 'token',
  tags: ['Tokens'],
  summary: 'Exchange a code, a refresh token or a device code for tokens',
  description:
    'Web apps send HTTP Basic credentials, `client_secret` in the form, or a signed `client_assertion`; native apps send ' +
    'neither. While a device ' +
    'waits for the person, polling answers `authorization_pending`; polling faster than `interval`, `slow_down`.',
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
  summary: 'End a token (RFC 7009)',
  description:
    'Ending a refresh token ends its access tokens as well. A token that is not there is no error.',
  security: clientAuthentication,
  requestBody: tokenHint,
  responses: {
    '200': { description: 'It is not usable any more.' },
    '400': oauthError('`invalid_request`, `invalid_client`, `unsupported_token_type`.'),
    '401': badBasic,
    ...always,
  },
}

const introspect: Operation = {
  operationId: 'introspectToken',
  tags: ['Tokens'],
  summary: "Ask about one's own token (RFC 7662)",
  security: clientAuthentication,
  requestBody: tokenHint,
  responses: {
    '200': answer('What the token is, or that it is not active.', 'IntrospectionResponse', noStore),
    '400': oauthError('`invalid_request`, `invalid_client`.', noStore),
    '401': badBasic,
    ...always,
  },
}

const userInfo: Operation = {
  operationId: 'userInfo',
  tags: ['Tokens'],
  summary: 'Who the person is (UserInfo)',
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
  summary: 'Public keys that sign id_tokens',
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
