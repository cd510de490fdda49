import { oauthErrorCauses } from '@/lib/features/docs/error-causes'
import { allScopes } from '@/lib/policy/scopes'
import { list, type Schema, seconds, text, uri } from './types'

/** Requests and answers of the OAuth endpoints, with the names and fields of docs/api/contract.md. */

const grantTypes = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const

/** The grant types of SSO-managed apps (RFC 7523) and of APIs (RFC 8693). */
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** The types of tokens in it (RFC 8693 section 3). */
const tokenType = (name: string) => `urn:ietf:params:oauth:token-type:${name}`

/** The authentication methods of clients. */
const clientAuthMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** The fields that identify a client. */
export const clientCredentials = {
  client_id: text('Needed unless HTTP Basic credentials or an assertion are sent.'),
  client_secret: text('client_secret_post: the secret of a web app. A native app that sends one is refused.'),
  client_assertion: text('private_key_jwt: a JWT signed by a key of the app (RFC 7523), good once.'),
  client_assertion_type: text(
    'With client_assertion: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
  ),
}

const authorizationDetails = (what: string): Schema => ({
  type: 'array',
  description: `${what} Each has the role of the app at that moment (RFC 9396).`,
  items: {
    type: 'object',
    required: ['type'],
    additionalProperties: false,
    properties: {
      type: {
        type: 'string',
        enum: ['workspace', 'project', 'incomplete'],
        description:
          '`incomplete` is the last one of a list that was too long. Introspect the token for all.',
      },
      identifier: text('The ID of the workspace or project.'),
      role: { type: 'string', enum: ['admin', 'member', 'viewer'] },
      total: { type: 'integer', description: '`incomplete`: how many there are.' },
    },
  },
})

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
      grant_type: { type: 'string', enum: [...grantTypes, tokenExchange] },
      code: text('authorization_code: the code.'),
      redirect_uri: uri('authorization_code: the one used at authorization.'),
      code_verifier: text('authorization_code: the PKCE verifier (RFC 7636).', {
        minLength: 43,
        maxLength: 128,
      }),
      refresh_token: text('refresh_token: the token.'),
      device_code: text('device_code: the code from /oauth/device/auth (RFC 8628).'),
      scope: text('refresh_token, token-exchange: fewer scopes than were granted, space-separated.'),
      resource: uri('The API the access token is for (RFC 8707). Required for token-exchange.'),
      subject_token: text('token-exchange (RFC 8693), only for an API: the access token that it received.'),
      subject_token_type: {
        type: 'string',
        enum: [tokenType('access_token'), tokenType('jwt')],
        description: 'token-exchange: the type of subject_token.',
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
        'To be sent as a bearer token. Opaque, except for an API whose tokens are JWTs (RFC 9068).',
      ),
      token_type: {
        type: 'string',
        enum: ['Bearer', 'DPoP'],
        description: 'DPoP if the request had a proof.',
      },
      expires_in: seconds('Lifetime of the access token.', { maximum: 3600 }),
      refresh_token: text('Only when offline_access was requested with prompt=consent.'),
      scope: text('The granted scopes, space-separated.'),
      authorization_details: authorizationDetails(
        'Only for an API outside the service: at most 20 workspaces and projects.',
      ),
      issued_token_type: {
        const: tokenType('access_token'),
        description: 'Only for token-exchange (RFC 8693 section 2.2.1).',
      },
      resource: uri('The resource that the token is for, if an SSO-managed app got it by an assertion.'),
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
      user_code: text('For the user to type at verification_uri; case and dashes do not matter.'),
      verification_uri: uri('Where the user goes.'),
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
      request_uri: text('Replaces the parameters at /oauth/auth.', {
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
      sub: text("The user's id; stable, never used again for someone else."),
      email: text('With scope email.', { format: 'email' }),
      email_verified: { type: 'boolean', description: 'With scope email.' },
      name: text('With scope profile.'),
      picture: uri('With scope profile, when the user has one.'),
    },
  },
  IntrospectionResponse: {
    type: 'object',
    required: ['active'],
    description:
      '`{"active": false}` for anything that is not an active token of the requesting client or for the requesting API.',
    properties: {
      active: { type: 'boolean' },
      client_id: text('The client the token was issued to.'),
      sub: text('The user it acts for.'),
      scope: text('The granted scopes, space-separated.'),
      iss: uri('The issuer.'),
      aud: { type: ['string', 'array'], description: 'The API that the token is for, if one was requested.' },
      iat: { type: 'integer', description: 'Issued at, in seconds since 1970.' },
      exp: { type: 'integer', description: 'Expires at, in seconds since 1970.' },
      token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
      cnf: { type: 'object', description: 'The key it is bound to (DPoP).' },
      jti: text('The ID of a JWT access token. Only for an API.'),
      auth_time: { type: 'integer', description: 'When the user signed in. Only for an API.' },
      act: {
        type: 'object',
        description:
          'Only for an API: the API that exchanged the token (RFC 8693 section 4.1), in its `act` the one before. At most 3.',
      },
      authorization_details: authorizationDetails('Only for an API: all workspaces and projects.'),
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
          // Forbidden, because the private part of a key must never be published.
          d: false,
          p: false,
          q: false,
        },
      }),
    },
  },
}

/** The discovery documents (RFC 8414, OpenID Connect Discovery, RFC 9728). */
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
      issuer: uri('The issuer, byte for byte as in `iss`.'),
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
      scopes_supported: list('All scopes, including those of registered APIs.', { type: 'string' }),
      response_types_supported: { const: ['code'] },
      grant_types_supported: list(
        'Grants at /oauth/token. At the addresses of RFC 8414 also that of SSO-managed apps and, if one is registered, of APIs.',
        { type: 'string', enum: [...grantTypes, jwtBearer, tokenExchange] },
      ),
      authorization_grant_profiles_supported: list('The profiles of that grant.', {
        type: 'string',
        enum: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      }),
      code_challenge_methods_supported: { const: ['S256'] },
      token_endpoint_auth_methods_supported: list('How clients authenticate.', {
        type: 'string',
        enum: clientAuthMethods,
      }),
      acr_values_supported: list('What `acr` can say of a sign-in: two factors, or anything less.'),
      token_endpoint_auth_signing_alg_values_supported: list('How client assertions may be signed.'),
      request_object_signing_alg_values_supported: list('How request objects may be signed.'),
      dpop_signing_alg_values_supported: list('How DPoP proofs may be signed.'),
      backchannel_logout_supported: { const: true },
      backchannel_logout_session_supported: { const: true },
      id_token_signing_alg_values_supported: list('How id_tokens are signed.'),
      userinfo_signing_alg_values_supported: list(
        'Algorithms for signed UserInfo responses, for clients that register `userinfo_signed_response_alg`.',
      ),
      subject_types_supported: list('`public`: every app sees the same sub.'),
      client_id_metadata_document_supported: { type: 'boolean' },
      authorization_response_iss_parameter_supported: { const: true },
    },
  },
  ProtectedResourceMetadata: {
    type: 'object',
    required: ['resource', 'authorization_servers', 'scopes_supported', 'bearer_methods_supported'],
    properties: {
      resource: uri('The API this is about.'),
      authorization_servers: list('Issuers whose tokens it takes.', { type: 'string', format: 'uri' }),
      scopes_supported: list('What a client may ask for in the ordinary case.', {
        type: 'string',
        enum: allScopes.filter((scope) => scope !== 'offline_access' && !scope.endsWith(':admin')),
      }),
      bearer_methods_supported: list('Where the token goes.'),
      resource_name: text('The service, for people.'),
      resource_documentation: uri('Its documentation.'),
      protected_resources: list('Every resource of the service, in the metadata of the service itself.', {
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
      status: text('`ok`, `ready` or `not ready`.', { enum: ['ok', 'ready', 'not ready'] }),
      reason: text('Why it is not ready.'),
      missing: list('Migrations that the database lacks.'),
    },
  },
}

const flag = (description: string): Schema => ({ type: 'boolean', description })

const metadata: Record<string, Schema> = {
  client_name: text('Shown to people on the consent page.'),
  redirect_uris: list('At most 10. Loopback addresses may vary in port (RFC 8252 section 7.3).', {
    type: 'string',
    format: 'uri',
  }),
  grant_types: list('What it will ask for at /oauth/token.'),
  response_types: list('`code` is the only one.'),
  token_endpoint_auth_method: text('How it authenticates.', {
    enum: clientAuthMethods,
  }),
  jwks: {
    type: 'object',
    description:
      'Its public keys, for private_key_jwt and request objects; or `jwks_uri`, where it publishes them.',
  },
  userinfo_signed_response_alg: text(
    'The algorithm that signs its UserInfo responses. Default: unsigned JSON.',
  ),
  jwks_uri: uri('Where it publishes its public keys: https on port 443.'),
  backchannel_logout_uri: uri(
    'Where it receives logout tokens (OpenID Connect Back-Channel Logout): https on port 443.',
  ),
  backchannel_logout_session_required: flag('Whether the logout token contains `sid`.'),
  require_pushed_authorization_requests: flag('Whether its requests must be pushed, with authentication.'),
  require_signed_request_object: flag('Whether its requests must be signed (RFC 9101).'),
  dpop_bound_access_tokens: flag('Whether its access tokens are always bound to a key (RFC 9449).'),
  high_security: flag(
    'Holds it to the FAPI 2.0 Security Profile; takes private_key_jwt and implies the three above but the signature.',
  ),
  application_type: text('`web` or `native`.'),
  client_uri: uri('Its homepage.'),
  logo_uri: uri('Logo: an https URL of a PNG, JPEG, or WebP image. This server fetches and re-encodes it.'),
  policy_uri: uri('Its privacy policy, linked on the consent page (https).'),
  tos_uri: uri('Its terms, linked on the consent page (https).'),
  scope: text('Accepted and not kept: any scope may be asked for later.'),
  post_logout_redirect_uris: list('Where sign-out may lead.', { type: 'string', format: 'uri' }),
}

/** Dynamic client registration and its management (RFC 7591, RFC 7592). */
export const registrationSchemas: Record<string, Schema> = {
  ClientRegistrationRequest: {
    type: 'object',
    description:
      'Client metadata (RFC 7591). Unknown members are ignored. Common mistakes of real clients are corrected.',
    properties: metadata,
  },
  ClientRegistrationResponse: {
    type: 'object',
    description: 'The registered client: the normalized metadata and the added members.',
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
      client_id_issued_at: { type: 'integer', description: 'In seconds since 1970.' },
      client_secret: text('For confidential clients.'),
      client_secret_expires_at: { type: 'integer', description: '0: it does not expire.' },
      registration_access_token: text('Needed to read, change or delete the client; stays the same.'),
      registration_client_uri: uri('Where that is done.'),
    },
  },
}
