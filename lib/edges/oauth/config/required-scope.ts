import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { isScope } from '@/lib/policy/scopes'
import { dropScopes } from './allowed-scopes'

/**
 * The authorization endpoint requires `scope`, and `openid` in it (docs/contract.md, section 4). A device asks for whatever it needs.
 * What the app may not ask for is dropped.
 * @throws errors.InvalidRequest without a scope (RFC 6749 section 4.1.2.1), errors.InvalidScope without `openid`, or where
 *   commas separate the scopes, which would be taken for one that nobody knows
 */
export async function requireOpenid(ctx: KoaContextWithOIDC, scope: string | undefined): Promise<void> {
  const commas = commasInScope(ctx)
  if (commas) throw new errors.InvalidScope(commas, scope ?? '')
  if (ctx.oidc.route === 'device_authorization') return dropScopes(ctx)
  if (!scope) throw new errors.InvalidRequest("missing required parameter(s) 'scope'")
  if (!scope.split(' ').includes('openid')) {
    throw new errors.InvalidScope('scope must contain openid', scope)
  }
  await dropScopes(ctx)
}

/** What to say of a request that separates scopes by commas; undefined for any other. */
export function commasInScope(ctx: KoaContextWithOIDC): string | undefined {
  const sent = (ctx.method === 'POST' ? ctx.oidc.body : ctx.query)?.scope
  const pieces = typeof sent === 'string' ? sent.split(' ').filter((piece) => piece.includes(',')) : []
  const known = pieces.flatMap((piece) => piece.split(',')).some(isScope)
  return known ? 'scopes are separated by spaces, not commas' : undefined
}
