import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { allowedTo } from '@/lib/policy/app-status'
import { askable, isScope } from '@/lib/policy/scopes'
import { findClientRow } from '../store/clients'

/**
 * Takes the scopes out of a request that its app may not ask for, as the engine takes out those that nobody knows. The engine has
 * a bound of its own (`scope` of RFC 7591 section 2), which refuses the whole request.
 * See decision 193.
 */
async function dropScopes(ctx: KoaContextWithOIDC): Promise<void> {
  const { client } = ctx.oidc
  if (!client) return
  const { clientId } = client
  dropBeyond(ctx, allowedTo(clientId, (await findClientRow(clientId))?.allowedScopes))
}

/** The same where it has been read what the app may ask for. */
export function dropBeyond({ oidc: { params } }: KoaContextWithOIDC, allowed: readonly string[]): void {
  if (allowed.length === 0 || typeof params?.scope !== 'string') return
  params.scope = askable(params.scope.split(' '), allowed).join(' ') || undefined
}

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

/**
 * Reads over stray spaces in the `scope` of any request: in front, behind, or several together. RFC 6749 section 3.3 has
 * one between two scopes, and the engine ends the request over any other, but agents send them.
 */
export function readOverStraySpaces(provider: Provider): void {
  const kept = Symbol('params')
  type Subject = { [kept]?: unknown }
  const { OIDCContext } = provider as unknown as { OIDCContext: { prototype: object } }
  Object.defineProperty(OIDCContext.prototype, 'params', {
    configurable: true,
    get(this: Subject) {
      return this[kept]
    },
    set(this: Subject, params: { scope?: unknown } | undefined) {
      if (typeof params?.scope === 'string') {
        params.scope = params.scope.split(' ').filter(Boolean).join(' ') || undefined
      }
      this[kept] = params
    },
  })
}
