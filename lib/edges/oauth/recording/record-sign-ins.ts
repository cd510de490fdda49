import type { Client, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { endSignIn } from '@/lib/features/apps/sign-ins/end-sign-in'
import { recordSignIn } from '@/lib/features/apps/sign-ins/record-sign-in'
import { browserSessionOf } from '../engine/overrides/session-source'

const issuing = new Set(['authorization', 'resume'])

/** Notes each sign-in to an app that wants to hear of its end, before the code leaves. */
export async function recordSignIns(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (!ctx.oidc || !issuing.has(ctx.oidc.route)) return
  const { AuthorizationCode: code, Client: client } = ctx.oidc.entities
  const { session } = ctx.oidc
  if (!code || !client?.backchannelLogoutUri || !session) return
  const sessionId = browserSessionOf(session)
  const sid = session.sidFor(client.clientId)
  if (sessionId && sid) await recordSignIn(sessionId, client.clientId, sid)
}

/**
 * The engine would call each app itself, while the person waits for the logout to be confirmed. Here its sign-in ends, of
 * which a job tells the app (lib/features/apps/sign-ins), as with every other end of a session.
 */
export function tellAppsByJob(provider: Provider): void {
  Object.assign(provider.Client.prototype, {
    async backchannelLogout(this: Client, _sub: string, sid: string): Promise<void> {
      await endSignIn(this.clientId, sid)
    },
  })
}
