import type { ClientMetadata } from 'oidc-provider'
import { pictureAddress } from '@/lib/features/pictures/address'
import { defaultSigningAlg } from '@/lib/features/signing-keys/generate-key'
import { clientCredentialsGrant, deviceGrant, jwtBearerGrant } from '../protocol/grant-types'
import type { ClientRow } from './clients-by-version'

/** Stands where the engine insists on a secret; no secret is ever equal to it, because it is compared by hash alone. */
export const secretPlaceholder = 'stored-as-hash'

/** Methods of authentication that take no secret. */
export const withoutSecret = new Set<unknown>(['none', 'private_key_jwt'])

/**
 * A client as the engine knows it (RFC 7591 section 2). A client from the settings gets every grant; where it can be installed the one for
 * installations too, with a secret the one for assertions; a self-registered one what its registration asked for.
 */
export function toClientMetadata(row: ClientRow): ClientMetadata {
  const publicClient = row.type === 'NATIVE'
  const metadata: ClientMetadata = {
    grant_types: [
      'authorization_code',
      'refresh_token',
      deviceGrant,
      ...(row.installable && !publicClient ? [clientCredentialsGrant] : []),
      // Whether an admin lets it is asked when it is used (assertions/redeem-assertion).
      ...(publicClient ? [] : [jwtBearerGrant]),
    ],
    application_type: publicClient ? 'native' : 'web',
    id_token_signed_response_alg: defaultSigningAlg,
    token_endpoint_auth_method: publicClient ? 'none' : 'client_secret_basic',
    ...(row.homepageUrl ? { client_uri: row.homepageUrl } : {}),
    ...(row.logoUrl ? { logo_uri: pictureAddress(row.logoUrl) } : {}),
    ...row.metadata,
    client_id: row.id,
    client_name: row.name,
    redirect_uris: row.redirectUris,
    post_logout_redirect_uris: row.postLogoutRedirectUris,
    // A device has nowhere to be redirected to.
    response_types: row.redirectUris.length > 0 ? ['code'] : [],
    require_pushed_authorization_requests: row.requirePushedAuthorization,
    client_id_issued_at: row.createdAt,
  }
  return withoutSecret.has(metadata.token_endpoint_auth_method)
    ? metadata
    : { ...metadata, client_secret: secretPlaceholder, client_secret_expires_at: 0 }
}
