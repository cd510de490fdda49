import { errors, type KoaContextWithOIDC } from 'oidc-provider'

/**
 * The authorization endpoint requires `scope`, and `openid` in it (interface.md 4.3). A device asks for whatever it needs.
 * @throws errors.InvalidRequest without a scope (RFC 6749 section 4.1.2.1), errors.InvalidScope without `openid`
 */
export async function requireOpenid(ctx: KoaContextWithOIDC, scope: string | undefined): Promise<void> {
  if (ctx.oidc.route === 'device_authorization') return
  if (!scope) throw new errors.InvalidRequest("missing required parameter(s) 'scope'")
  if (!scope.split(' ').includes('openid')) {
    throw new errors.InvalidScope('scope must contain openid', scope)
  }
}
