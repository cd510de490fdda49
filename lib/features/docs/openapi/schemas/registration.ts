import type { Schema } from '../types'
import { clientAuthMethods } from './oauth'
import { list, text, uri } from './text'

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
  backchannel_logout_uri: uri('Where it hears of sign-outs (Back-Channel Logout): https on port 443.'),
  backchannel_logout_session_required: flag('Whether it is told which session ended.'),
  require_pushed_authorization_requests: flag('Whether its requests must be pushed, with authentication.'),
  require_signed_request_object: flag('Whether its requests must be signed (RFC 9101).'),
  dpop_bound_access_tokens: flag('Whether its access tokens are always bound to a key (RFC 9449).'),
  high_security: flag(
    'Holds it to the FAPI 2.0 Security Profile; takes private_key_jwt and implies the three above but the signature.',
  ),
  application_type: text('`web` or `native`.'),
  client_uri: uri('Its homepage.'),
  logo_uri: uri('Its logo: an https address of a PNG, JPEG or WebP. Fetched and drawn anew by this server.'),
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
      'Client metadata of RFC 7591; what is not known is ignored, what real clients send wrongly is normalised.',
    properties: metadata,
  },
  ClientRegistrationResponse: {
    type: 'object',
    description: 'The client as it is kept: what was sent, normalised, and what was added.',
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
