import { Provider } from 'oidc-provider'

/**
 * A pushed authorization request needs a client_id alone (interface.md 4.8 states no authentication), so a confidential
 * client that sends no credentials counts as a public one at this endpoint, unless the app demands authenticated
 * requests. Credentials that are sent are checked as everywhere.
 */
export function allowUnauthenticatedPush(provider: Provider): void {
  Object.defineProperty(provider.Client.prototype, 'clientAuthMethod', {
    configurable: true,
    get(this: { tokenEndpointAuthMethod: string; requirePushedAuthorizationRequests?: boolean }) {
      const ctx = Provider.ctx
      const anonymous =
        ctx?.oidc.route === 'pushed_authorization_request' &&
        ctx.headers.authorization === undefined &&
        !(ctx.oidc.body as { client_secret?: string } | undefined)?.client_secret
      return anonymous && !this.requirePushedAuthorizationRequests ? 'none' : this.tokenEndpointAuthMethod
    },
  })
}
