import { oauthErrorCauses } from '@/lib/features/docs/error-causes'
import { allScopes } from '@/lib/policy/scopes'
import { list, type Schema, seconds, text, uri } from './types'

/** Schemas for the requests and responses of the OAuth endpoints (docs/api/contract.md). */

const grantTypes = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const

/** The grant type of SSO-managed apps (RFC 7523). */
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** The grant type that APIs use (RFC 8693). */
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** Returns the identifier of a token type in a token exchange (RFC 8693 section 3). */
const tokenType = (name: string) => `urn:ietf:params:oauth:token-type:${name}`

/** The authentication methods of clients. */
const clientAuthMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** The form fields that identify and authenticate a client. */
export const clientCredentials = {
  client_id: text('Required unless HTTP Basic credentials or an assertion are sent.'),
  client_secret: text('For client_secret_post: a web app’s secret. Native apps must not send a secret.'),
  client_assertion: text('For private_key_jwt: a single-use JWT, signed with the app’s key (RFC 7523).'),
  client_assertion_type: text(
    'Required with client_assertion: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
  ),
}

const authorizationDetails = (what: string): Schema => ({
  type: 'array',
  description: `${what} Each entry contains the app’s role at that time (RFC 9396).`,
  items: {
    type: 'object',
    required: ['type'],
    additionalProperties: false,
    properties: {
      type: {
        type: 'string',
        enum: ['workspace', 'project', 'incomplete'],
        description:
          'The type of the entry. `incomplete` is the last entry of a list that was too long. Introspect the token to get all entries.',
      },
      identifier: text('The ID of the workspace or project.'),
      role: { type: 'string', enum: ['admin', 'member', 'viewer'] },
      total: { type: 'integer', description: 'For `incomplete`: the total number of resources.' },
    },
  },
})

export const oauthSchemas: Record<string, Schema> = {
  Error: {
    type: 'object',
    required: ['error'],
    additionalProperties: false,
    properties: {
      error: text('The error code, for programs (RFC 6749 section 5.2 and its extensions).', {
        enum: Object.keys(oauthErrorCauses),
      }),
      error_description: text('The cause of the error and how to fix it, for developers.'),
      scope: text('The scopes that the error is about.'),
      state: text('The state of the authorization request.'),
      iss: uri('The issuer that sent the response (RFC 9207).'),
    },
  },
  TokenRequest: {
    type: 'object',
    required: ['grant_type'],
    properties: {
      grant_type: { type: 'string', enum: [...grantTypes, tokenExchange] },
      code: text('authorization_code: the code.'),
      redirect_uri: uri('For authorization_code: the redirect_uri from the authorization request.'),
      code_verifier: text('For authorization_code: the PKCE verifier (RFC 7636).', {
        minLength: 43,
        maxLength: 128,
      }),
      refresh_token: text('refresh_token: the token.'),
      device_code: text('For device_code: the code from /oauth/device/auth (RFC 8628).'),
      scope: text('For refresh_token and token-exchange: some of the granted scopes, separated by spaces.'),
      resource: uri('The API that the access token is for (RFC 8707). Required for token-exchange.'),
      subject_token: text('For token-exchange by APIs (RFC 8693): the access token that the API received.'),
      subject_token_type: {
        type: 'string',
        enum: [tokenType('access_token'), tokenType('jwt')],
        description: 'For token-exchange: the type of subject_token.',
      },
      requested_token_type: { const: tokenType('access_token') },
      ...clientCredentials,
    },
  },
  TokenResponse: {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
    additionalProperties: false,
    properties: {
      access_token: text(
        'The access token, which is opaque, except for an API whose tokens are JWTs (RFC 9068). Send it as the token type requires.',
      ),
      token_type: {
        type: 'string',
        enum: ['Bearer', 'DPoP'],
        description: 'The token type. It is `DPoP` if the request contained a DPoP proof.',
      },
      expires_in: seconds('The lifetime of the access token.', { maximum: 3600 }),
      refresh_token: text('The refresh token, if offline_access was requested with prompt=consent.'),
      scope: text('The granted scopes, separated by spaces.'),
      authorization_details: authorizationDetails(
        'Only for registered APIs: at most 20 workspaces and projects.',
      ),
      issued_token_type: {
        const: tokenType('access_token'),
        description: 'The type of the issued token, only for token-exchange (RFC 8693 section 2.2.1).',
      },
      resource: uri('The resource that the token is for. Only for tokens from an assertion.'),
      id_token: text(
        'A signed JWT that identifies the user. Present if openid was granted. It contains sub and, unless a refresh token was used, the claims for the granted scopes.',
      ),
    },
  },
  DeviceAuthorizationRequest: {
    type: 'object',
    properties: {
      scope: text('Space-separated scopes.'),
      resource: uri('The API that the access token is for (RFC 8707).'),
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
      device_code: text('The code with which the device polls /oauth/token. The device must keep it secret.'),
      user_code: text('The code that the user enters at verification_uri. Case and dashes do not matter.'),
      verification_uri: uri('The URL that the user must open.'),
      verification_uri_complete: uri('The same URL including the code, for a link or a QR code.'),
      expires_in: seconds('The lifetime of both codes.'),
      interval: seconds('The minimum time between two polls.', { const: 5 }),
    },
  },
  PushedAuthorizationResponse: {
    type: 'object',
    required: ['request_uri', 'expires_in'],
    additionalProperties: false,
    properties: {
      request_uri: text('The URI that replaces the parameters at /oauth/auth.', {
        pattern: '^urn:ietf:params:oauth:request_uri:',
      }),
      expires_in: seconds('The lifetime of the request_uri.', { maximum: 60 }),
    },
  },
  UserInfo: {
    type: 'object',
    required: ['sub'],
    additionalProperties: false,
    properties: {
      sub: text('The user’s ID. It never changes and is never assigned to another user.'),
      email: text('The user’s email address. Requires the scope email.', { format: 'email' }),
      email_verified: { type: 'boolean', description: 'Whether email is verified. Requires email.' },
      name: text('The user’s name. Requires the scope profile.'),
      picture: uri('The URL of the user’s picture, if there is one. Requires the scope profile.'),
    },
  },
  IntrospectionResponse: {
    type: 'object',
    required: ['active'],
    description:
      '`{"active": false}`, unless the token is active and was issued to the requesting client or for the requesting API.',
    properties: {
      active: { type: 'boolean' },
      client_id: text('The client that the token was issued to.'),
      sub: text('The user that the token acts for.'),
      scope: text('The granted scopes, separated by spaces.'),
      iss: uri('The issuer.'),
      aud: { type: ['string', 'array'], description: 'The API that the token is for, if one was requested.' },
      iat: { type: 'integer', description: 'The Unix timestamp at which the token was issued.' },
      exp: { type: 'integer', description: 'The Unix timestamp at which the token expires.' },
      token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
      cnf: { type: 'object', description: 'The key that the token is bound to (DPoP).' },
      jti: text('Only for APIs: the ID of a JWT access token.'),
      auth_time: { type: 'integer', description: 'Only for APIs: the time at which the user signed in.' },
      act: {
        type: 'object',
        description:
          'Only for APIs: the API that exchanged the token (RFC 8693 section 4.1). Its own `act` contains the previous API. At most 3 levels.',
      },
      authorization_details: authorizationDetails('Only for APIs: all workspaces and projects.'),
    },
  },
  TokenHint: {
    type: 'object',
    required: ['token'],
    properties: {
      token: text('An access token or refresh token.'),
      token_type_hint: { type: 'string', enum: ['access_token', 'refresh_token'] },
      ...clientCredentials,
    },
  },
  JwkSet: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: list('The public keys. There can be more than one for each algorithm during a rotation.', {
        type: 'object',
        required: ['kty', 'kid', 'use', 'alg'],
        properties: {
          kty: text('Key type.'),
          kid: text('The key ID. The header of an ID token contains the ID of the key that signed it.'),
          use: { const: 'sig' },
          alg: text('Algorithm.'),
          // Forbidden, because a key's private part must never be published.
          d: false,
          p: false,
          q: false,
        },
      }),
    },
  },
}

/** Schemas for discovery documents (RFC 8414, OpenID Connect Discovery, RFC 9728) and health checks. */
export const metadataSchemas: Record<string, Schema> = {
  AuthorizationServerMetadata: {
    type: 'object',
    required: [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
      'pushed_authorization_request_endpoint',
      'device_authorization_endpoint',
      'revocation_endpoint',
      'introspection_endpoint',
      'end_session_endpoint',
      'jwks_uri',
      'scopes_supported',
      'response_types_supported',
      'grant_types_supported',
      'code_challenge_methods_supported',
      'token_endpoint_auth_methods_supported',
      'id_token_signing_alg_values_supported',
      'subject_types_supported',
    ],
    properties: {
      issuer: uri('The issuer, identical to `iss`.'),
      authorization_endpoint: uri('/oauth/auth'),
      token_endpoint: uri('/oauth/token'),
      userinfo_endpoint: uri('/oauth/me'),
      registration_endpoint: uri('/oauth/register'),
      pushed_authorization_request_endpoint: uri('/oauth/request'),
      device_authorization_endpoint: uri('/oauth/device/auth'),
      revocation_endpoint: uri('/oauth/token/revocation'),
      introspection_endpoint: uri('/oauth/token/introspection'),
      end_session_endpoint: uri('/oauth/session/end'),
      jwks_uri: uri('/oauth/jwks'),
      scopes_supported: list('All scopes, including the scopes of registered APIs.', { type: 'string' }),
      response_types_supported: { const: ['code'] },
      grant_types_supported: list(
        'The grant types at /oauth/token. The documents at the paths from RFC 8414 also list the grant types for SSO-managed apps and, if an API is registered, for APIs.',
        { type: 'string', enum: [...grantTypes, jwtBearer, tokenExchange] },
      ),
      authorization_grant_profiles_supported: list('The profiles of the grant type for SSO-managed apps.', {
        type: 'string',
        enum: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      }),
      code_challenge_methods_supported: { const: ['S256'] },
      token_endpoint_auth_methods_supported: list('The authentication methods of clients.', {
        type: 'string',
        enum: clientAuthMethods,
      }),
      acr_values_supported: list('The values of `acr`: for sign-ins with two factors and for all others.'),
      token_endpoint_auth_signing_alg_values_supported: list('The algorithms for signed client assertions.'),
      request_object_signing_alg_values_supported: list('The algorithms for signed request objects.'),
      dpop_signing_alg_values_supported: list('The algorithms for signed DPoP proofs.'),
      backchannel_logout_supported: { const: true },
      backchannel_logout_session_supported: { const: true },
      id_token_signing_alg_values_supported: list('The algorithms that sign ID tokens.'),
      userinfo_signing_alg_values_supported: list(
        'The algorithms for signed UserInfo responses, for clients that register `userinfo_signed_response_alg`.',
      ),
      subject_types_supported: list('Only `public`: all apps get the same sub for a user.'),
      client_id_metadata_document_supported: { type: 'boolean' },
      authorization_response_iss_parameter_supported: { const: true },
    },
  },
  ProtectedResourceMetadata: {
    type: 'object',
    required: ['resource', 'authorization_servers', 'scopes_supported', 'bearer_methods_supported'],
    properties: {
      resource: uri('The API that this document describes.'),
      authorization_servers: list('The issuers of the API’s tokens.', { type: 'string', format: 'uri' }),
      scopes_supported: list('The scopes that clients usually request.', {
        type: 'string',
        enum: allScopes.filter((scope) => scope !== 'offline_access' && !scope.endsWith(':admin')),
      }),
      bearer_methods_supported: list('The ways to send the token.'),
      resource_name: text('The name of the instance, for display.'),
      resource_documentation: uri('Its documentation.'),
      protected_resources: list('All resources of the instance. Only in the instance’s own metadata.', {
        type: 'string',
        format: 'uri',
      }),
    },
  },
  Health: {
    type: 'object',
    required: ['status'],
    additionalProperties: false,
    properties: {
      status: text('The status: `ok`, `ready`, or `not ready`.', { enum: ['ok', 'ready', 'not ready'] }),
      reason: text('The reason why the instance is not ready.'),
      missing: list('The migrations that are missing from the database.'),
    },
  },
}

const flag = (description: string): Schema => ({ type: 'boolean', description })

const metadata: Record<string, Schema> = {
  client_name: text('The name of the app. The consent page shows it.'),
  redirect_uris: list('Up to 10 redirect URIs. A loopback address matches any port (RFC 8252 section 7.3).', {
    type: 'string',
    format: 'uri',
  }),
  grant_types: list('The grant types that the app uses at /oauth/token.'),
  response_types: list('The response types. Only `code` is supported.'),
  token_endpoint_auth_method: text('The method with which the app authenticates.', {
    enum: clientAuthMethods,
  }),
  jwks: {
    type: 'object',
    description:
      'The app’s public keys, for private_key_jwt and request objects. Alternatively, send `jwks_uri`.',
  },
  userinfo_signed_response_alg: text(
    'The algorithm that signs the app’s UserInfo responses. Default: unsigned JSON.',
  ),
  jwks_uri: uri('The URL where the app publishes its public keys. It must use https and port 443.'),
  backchannel_logout_uri: uri(
    'The URL where the app receives logout tokens (OpenID Connect Back-Channel Logout). It must use https and port 443.',
  ),
  backchannel_logout_session_required: flag('Whether the logout token contains `sid`.'),
  require_pushed_authorization_requests: flag('Whether the app must push its requests and authenticate.'),
  require_signed_request_object: flag('Whether the app’s requests must be signed (RFC 9101).'),
  dpop_bound_access_tokens: flag('Whether the app’s access tokens are always bound to a key (RFC 9449).'),
  high_security: flag(
    'Enforces the FAPI 2.0 Security Profile. The app must use private_key_jwt. Pushed requests and key-bound access tokens are then required.',
  ),
  application_type: text('`web` or `native`.'),
  client_uri: uri('Its homepage.'),
  logo_uri: uri('The https URL of a PNG, JPEG, or WebP logo. The server re-encodes it.'),
  policy_uri: uri('The https URL of the app’s privacy policy, which the consent page links to.'),
  tos_uri: uri('The https URL of the app’s terms of service, which the consent page links to.'),
  scope: text('The scopes. They are accepted, but not stored, because the app can request any scope later.'),
  post_logout_redirect_uris: list('The redirect URIs for sign-out.', { type: 'string', format: 'uri' }),
}

/** Schemas for dynamic client registration and its management (RFC 7591, RFC 7592). */
export const registrationSchemas: Record<string, Schema> = {
  ClientRegistrationRequest: {
    type: 'object',
    description:
      'The client’s metadata (RFC 7591). Unknown members are ignored, and common client mistakes are corrected.',
    properties: metadata,
  },
  ClientRegistrationResponse: {
    type: 'object',
    description: 'The registered client, with its normalized metadata and additional members.',
    required: [
      'client_id',
      'client_id_issued_at',
      'redirect_uris',
      'grant_types',
      'response_types',
      'token_endpoint_auth_method',
      'registration_access_token',
      'registration_client_uri',
    ],
    properties: {
      ...metadata,
      client_id: text('Its id.'),
      client_id_issued_at: { type: 'integer', description: 'The Unix timestamp of the registration.' },
      client_secret: text('The client secret, for confidential clients.'),
      client_secret_expires_at: { type: 'integer', description: '0, because the secret does not expire.' },
      registration_access_token: text('The token for managing the client. It never changes.'),
      registration_client_uri: uri('The URL for managing the client.'),
    },
  },
}
