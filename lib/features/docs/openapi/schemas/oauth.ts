import { oauthErrorCauses } from '@/lib/features/docs/oauth-error-causes'
import type { Schema } from '../types'
import { list, seconds, text, uri } from './text'

/** Requests and answers of the OAuth endpoints; names and fields are those of docs/contract.md. */

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const

/** How clients authenticate where they must. */
export const clientAuthMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** The fields by which a client says who it is. */
export const clientCredentials = {
  client_id: text('Needed unless HTTP Basic credentials or an assertion are sent.'),
  client_secret: text('client_secret_post: the secret of a web app. A native app that sends one is refused.'),
  client_assertion: text('private_key_jwt: a JWT signed by a key of the app (RFC 7523), good once.'),
  client_assertion_type: text(
    'With client_assertion: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
  ),
}

export const oauthSchemas: Record<string, Schema> = {
  Error: {
    type: 'object',
    required: ['error'],
    additionalProperties: false,
    properties: {
      error: text('A code for programs (RFC 6749 section 5.2 and the documents that extend it).', {
        enum: Object.keys(oauthErrorCauses),
      }),
      error_description: text('What happened and what to do, for a developer.'),
      scope: text('The scopes it is about.'),
      state: text('The state of the authorization request.'),
      iss: uri('The issuer that answers (RFC 9207).'),
    },
  },
  TokenRequest: {
    type: 'object',
    required: ['grant_type'],
    properties: {
      grant_type: { type: 'string', enum: grantTypes },
      code: text('authorization_code: the code.'),
      redirect_uri: uri('authorization_code: the one used at authorization.'),
      code_verifier: text('authorization_code: the PKCE verifier (RFC 7636).', {
        minLength: 43,
        maxLength: 128,
      }),
      refresh_token: text('refresh_token: the token.'),
      device_code: text('device_code: the code from /oauth/device/auth (RFC 8628).'),
      scope: text('refresh_token: fewer scopes than were granted, space-separated.'),
      resource: uri('The API the access token is for (RFC 8707).'),
      ...clientCredentials,
    },
  },
  TokenResponse: {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
    additionalProperties: false,
    properties: {
      access_token: text('Opaque; to be sent as a bearer token.'),
      token_type: {
        type: 'string',
        enum: ['Bearer', 'DPoP'],
        description: 'DPoP when the request carried a proof.',
      },
      expires_in: seconds('Lifetime of the access token.', { maximum: 3600 }),
      refresh_token: text('Only when offline_access was requested with prompt=consent.'),
      scope: text('The granted scopes, space-separated.'),
      resource: uri(
        'What the token is for, where an app got it by an assertion of a company’s identity provider.',
      ),
      id_token: text(
        'A signed JWT that says who signed in, when openid was granted: sub and, unless it comes with a refresh, the claims of the granted scopes.',
      ),
    },
  },
  DeviceAuthorizationRequest: {
    type: 'object',
    properties: {
      scope: text('Space-separated scopes.'),
      resource: uri('The API the access token is for (RFC 8707).'),
      ...clientCredentials,
    },
  },
  DeviceAuthorizationResponse: {
    type: 'object',
    required: [
      'device_code',
      'user_code',
      'verification_uri',
      'verification_uri_complete',
      'expires_in',
      'interval',
    ],
    additionalProperties: false,
    properties: {
      device_code: text('For polling /oauth/token; kept by the device.'),
      user_code: text('For the person to type at verification_uri; case and dashes do not matter.'),
      verification_uri: uri('Where the person goes.'),
      verification_uri_complete: uri('The same with the code filled in, for a link or a QR code.'),
      expires_in: seconds('Lifetime of both codes.'),
      interval: seconds('Wait this long between two polls.', { const: 5 }),
    },
  },
  PushedAuthorizationResponse: {
    type: 'object',
    required: ['request_uri', 'expires_in'],
    additionalProperties: false,
    properties: {
      request_uri: text('Stands for the parameters at /oauth/auth.', {
        pattern: '^urn:ietf:params:oauth:request_uri:',
      }),
      expires_in: seconds('Lifetime of the request_uri.', { maximum: 60 }),
    },
  },
  UserInfo: {
    type: 'object',
    required: ['sub'],
    additionalProperties: false,
    properties: {
      sub: text("The person's id; stable, never used again for someone else."),
      email: text('With scope email.', { format: 'email' }),
      email_verified: { type: 'boolean', description: 'With scope email.' },
      name: text('With scope profile.'),
      picture: uri('With scope profile, when the person has one.'),
    },
  },
  IntrospectionResponse: {
    type: 'object',
    required: ['active'],
    description: '`{"active": false}` for anything that is not a live token of the asking client.',
    properties: {
      active: { type: 'boolean' },
      client_id: text('The client the token was issued to.'),
      sub: text('The person it acts for.'),
      scope: text('The granted scopes, space-separated.'),
      iss: uri('The issuer.'),
      aud: { type: ['string', 'array'], description: 'The API it is for, when one was named.' },
      iat: { type: 'integer', description: 'Issued at, in seconds since 1970.' },
      exp: { type: 'integer', description: 'Expires at, in seconds since 1970.' },
      token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
      cnf: { type: 'object', description: 'The key it is bound to (DPoP).' },
    },
  },
  TokenHint: {
    type: 'object',
    required: ['token'],
    properties: {
      token: text('An access or refresh token.'),
      token_type_hint: { type: 'string', enum: ['access_token', 'refresh_token'] },
      ...clientCredentials,
    },
  },
  JwkSet: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: list('Public keys; more than one while keys rotate.', {
        type: 'object',
        required: ['kty', 'kid', 'use', 'alg'],
        properties: {
          kty: text('Key type.'),
          kid: text('Named in the header of an id_token.'),
          use: { const: 'sig' },
          alg: text('Algorithm.'),
          // A private part here would be a catastrophe, so the description forbids it.
          d: false,
          p: false,
          q: false,
        },
      }),
    },
  },
}
