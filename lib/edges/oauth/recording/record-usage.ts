import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { noteActivity } from '@/lib/features/apps/activity/note-activity'
import { countUse } from '@/lib/features/apps/usage/count-use'

/**
 * Counts the codes each app gets, and notes who signed in. Its tokens are counted where they are committed (finish-request), since the engine
 * calls a request successful before it has won the race for its code; what an app does not get, record-failures counts.
 */
export function recordUsage(provider: Provider): void {
  provider.on('authorization.success', (ctx: KoaContextWithOIDC) => {
    const { client, account, requestParamScopes } = ctx.oidc
    if (!client) return
    countUse(client.clientId, 'authorizations')
    noteActivity({
      clientId: client.clientId,
      kind: 'SIGNED_IN',
      userId: account?.accountId,
      scopes: [...requestParamScopes],
      ip: ctx.ip,
      userAgent: ctx.get('user-agent'),
    })
  })
}
