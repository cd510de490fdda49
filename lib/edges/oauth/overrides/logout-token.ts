import { randomUUID } from 'node:crypto'
import type { Client, Provider } from 'oidc-provider'
import { endSignIn } from '@/lib/features/apps/sign-ins/end-sign-in'

type LogoutToken = InstanceType<Provider['IdToken']> & { mask: object }

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

/** A logout token (OpenID Connect Back-Channel Logout section 2.4), signed as the app's id_tokens are. */
export function issueLogoutToken(
  provider: Provider,
  client: Client,
  userId: string,
  sid: string,
): Promise<string> {
  const token = new provider.IdToken({ sub: userId }, { client }) as LogoutToken
  token.mask = { sub: null }
  token.set('events', { 'http://schemas.openid.net/event/backchannel-logout': {} })
  token.set('jti', randomUUID())
  if (client.backchannelLogoutSessionRequired) token.set('sid', sid)
  return token.issue({ use: 'logout' })
}
