import type { KoaContextWithOIDC } from 'oidc-provider'
import { recordSignIn } from '@/lib/features/apps/sign-ins/record-sign-in'
import { browserSessionOf } from '../overrides/session-source'

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
