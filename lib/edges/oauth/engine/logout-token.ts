import type { EndedSignIn } from '@/lib/features/apps/sign-ins/logout-job'
import type { LogoutMessage } from '@/lib/features/apps/sign-ins/tell-app'
import { issueLogoutToken } from '../overrides/logout-token'
import { oauthEngine } from './provider'

/**
 * Makes the logout token that tells an app of a sign-out (OpenID Connect Back-Channel Logout section 2.4), signed as the
 * app's id_tokens are. It names the session where the app registered that it wants that, as its id_tokens do.
 * @returns undefined for an app that is gone, disabled, or does not want to hear of it any more
 */
export async function makeLogoutToken({
  clientId,
  userId,
  sid,
}: EndedSignIn): Promise<LogoutMessage | undefined> {
  const { provider } = await oauthEngine()
  const client = await provider.Client.find(clientId)
  if (!client?.backchannelLogoutUri) return undefined
  const token = await issueLogoutToken(provider, client, userId, sid)
  return { address: client.backchannelLogoutUri, token }
}
