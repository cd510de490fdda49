import type { Provider } from 'oidc-provider'
import type { CredentialKind } from '@/lib/base/credentials/tokens'
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
