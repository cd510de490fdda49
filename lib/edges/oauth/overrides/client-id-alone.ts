import { Provider } from 'oidc-provider'
import { sentCredentials } from '../protocol/what-was-sent'

/**
 * A pushed authorization request and a device's first request need a client_id alone (docs/contract.md, sections 8 and 9, ask for no
 * authentication), so a confidential client that sends no credentials counts as a public one at these endpoints. Neither
 * gives anything but a place to wait for the person; the tokens are given to whoever authenticates. An app may demand that
 * pushed requests are authenticated, and one that has a key proves itself everywhere. Credentials that are sent are checked
 * as everywhere.
 */
export function allowClientIdAlone(provider: Provider): void {
  Object.defineProperty(provider.Client.prototype, 'clientAuthMethod', {
    configurable: true,
    get(this: Subject) {
      return clientIdSuffices(this) ? 'none' : this.tokenEndpointAuthMethod
    },
  })
}

type Subject = { tokenEndpointAuthMethod: string; requirePushedAuthorizationRequests?: boolean }

function clientIdSuffices(client: Subject): boolean {
  if (client.tokenEndpointAuthMethod === 'private_key_jwt') return false
  const ctx = Provider.ctx
  const route = ctx?.oidc.route
  const pushes = route === 'pushed_authorization_request' && !client.requirePushedAuthorizationRequests
  if (!ctx || (!pushes && route !== 'device_authorization')) return false
  return !sentCredentials(ctx)
}
