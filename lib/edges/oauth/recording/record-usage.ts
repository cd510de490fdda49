import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { countUse } from '@/lib/features/apps/usage/count-use'

/**
 * Counts the codes each app gets. Its tokens are counted where they are committed (finish-request), since the engine
 * calls a request successful before it has won the race for its code; what an app does not get, record-failures counts.
 */
export function recordUsage(provider: Provider): void {
  provider.on('authorization.success', ({ oidc: { client } }: KoaContextWithOIDC) => {
    if (client) countUse(client.clientId, 'authorizations')
  })
}
