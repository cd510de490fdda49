import { config } from '@/lib/base/config/env'
import { registeredAppScopes } from '@/lib/policy/allowed-scopes'
import { proofAlgs } from '@/lib/policy/proof-of-possession'
import { allScopes, askable } from '@/lib/policy/scopes'
import { issuer, protectedResources } from '../protocol/routes'

/**
 * The metadata of the API as a protected resource (RFC 9728 section 2). Its scopes leave out what an agent should not
 * ask for without being told to: `offline_access` and the admin scopes; and what apps that introduce themselves may not get.
 * @param path the resource's path: '' for the whole service
 */
export const protectedResourceMetadata = (path: string) => ({
  resource: `${config().BASE_URL}${path}`,
  authorization_servers: [issuer()],
  scopes_supported: askable(allScopes, registeredAppScopes()).filter(
    (scope) => scope !== 'offline_access' && !scope.endsWith(':admin'),
  ),
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: proofAlgs,
  resource_name: config().SERVICE_NAME,
  resource_documentation: `${config().BASE_URL}/docs`,
  // The parameter of RFC 9728 section 4, for clients that know the instance alone.
  ...(path === '' ? { protected_resources: protectedResources() } : {}),
})
