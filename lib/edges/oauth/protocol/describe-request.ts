import type { KoaContextWithOIDC } from 'oidc-provider'
import { clientSource } from '@/lib/policy/client-source'
import { clientCredentialsGrant, deviceGrant, jwtBearerGrant } from './grant-types'

const grants = new Map([
  ['authorization_code', 'authorization_code'],
  ['refresh_token', 'refresh_token'],
  [deviceGrant, 'device_code'],
  [clientCredentialsGrant, 'client_credentials'],
  [jwtBearerGrant, 'jwt_bearer'],
])

/** By which grant a token was asked for, and what kind of app asks: none of it is the client's own word. */
export function describeRequest({ oidc }: KoaContextWithOIDC) {
  const { params, client } = oidc ?? {}
  const asked = params?.grant_type
  return {
    grant: asked === undefined ? undefined : (grants.get(String(asked)) ?? 'other'),
    app_type: client && (client.applicationType === 'native' ? 'native' : 'web'),
    app_source: client && clientSource(client.clientId).toLowerCase(),
  }
}
