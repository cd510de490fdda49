import { allScopes } from '@/lib/policy/scopes'
import type { Schema } from '../types'
import { clientAuthMethods, grantTypes } from './oauth'
import { list, text, uri } from './text'

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
      scopes_supported: list('The authoritative list of scopes.', { type: 'string', enum: allScopes }),
      response_types_supported: { const: ['code'] },
      grant_types_supported: list(
        'Grants at /oauth/token. At the addresses of RFC 8414 also that of apps which a company’s identity provider sends.',
        { type: 'string', enum: [...grantTypes, 'urn:ietf:params:oauth:grant-type:jwt-bearer'] },
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
