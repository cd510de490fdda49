import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { type Client, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import type { CredentialKind } from '@/lib/base/credentials/tokens'
import { endSignIn } from '@/lib/features/apps/activity/back-channel-logout'
import { currentUnit } from '../store/request-unit'
import { mintBeside } from '../store/shards'

/**
 * Gives every credential the engine issues the product's form: a prefix that secret scanners know, 256 random bits and a
 * checksum (lib/base/credentials/tokens).
 */
export function applyCredentialFormat(provider: Provider): void {
  const models: [{ prototype: object }, CredentialKind][] = [
    [provider.AccessToken, 'accessToken'],
    [provider.ClientCredentials, 'installationToken'],
    [provider.RefreshToken, 'refreshToken'],
    [provider.AuthorizationCode, 'authorizationCode'],
    [provider.DeviceCode, 'deviceCode'],
    [provider.RegistrationAccessToken, 'registrationToken'],
  ]
  for (const [model, kind] of models) {
    Object.assign(model.prototype, {
      generateTokenId(this: { format?: string }) {
        // Access tokens may be of several formats in the engine; here they are opaque without exception.
        if (kind === 'accessToken' || kind === 'installationToken') this.format = 'opaque'
        const unit = currentUnit()
        const minted = kind === 'installationToken' && unit?.managed ? 'managedToken' : kind
        return mintBeside(minted, unit?.collects ? unit.presented : undefined)
      },
    })
  }
}

type Context = NonNullable<typeof Provider.ctx>

/**
 * The engine's own reading of the bearer or DPoP token that a request brings (RFC 6750, RFC 9449); its types leave the option
 * out by which its endpoints ask.
 * @returns undefined for anything malformed, which the endpoint has words for
 */
export function presentedToken({ oidc }: Context): string | undefined {
  try {
    return oidc.getAccessToken({ acceptDPoP: true } as never)
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) return undefined
    throw error
  }
}

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

/**
 * Checks an id_token's signature by the engine's own keys, without looking for its client: the engine is handed the part of
 * a client by which it checks, the audience that the token may have and how it is signed.
 * @throws Error for whatever is no id_token of this server
 */
export async function validateOwnIdToken(provider: Provider, idToken: string): Promise<void> {
  const { alg } = decodeProtectedHeader(idToken)
  const client = { clientId: decodeJwt(idToken).aud, idTokenSignedResponseAlg: alg }
  await provider.IdToken.validate(idToken, client as never)
}

/** The secret in the engine's question whether to sign out, which the answer must bring. */
export const signOutSecret = (ctx: KoaContextWithOIDC): string | undefined =>
  (ctx.oidc.session as { state?: { secret?: string } }).state?.secret
