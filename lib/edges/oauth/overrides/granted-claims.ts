import { LRUCache } from 'lru-cache'
import type { Client, Provider } from 'oidc-provider'
import { claims } from '../store/account'
import { toGrantPayload } from '../store/grant-record'
import type { AuthorizationRow } from '../store/snapshot'

/** The engine's own mask of claims, which its types leave out (its lib/helpers/claims.js). */
type Masks = { Claims: new (available: object, of: { client: Client }) => Mask }
type Mask = { scope: (scope: string) => Mask; result: () => Promise<Record<string, unknown>> }

const everyClaim = Object.fromEntries(
  Object.values(claims).flatMap((names) => names.map((name) => [name, true])),
)

/** How many pairs of scopes are cached. Few are in use; someone who sends many evicts only the unused ones. */
const mostRemembered = 1_000
const remembered = new WeakMap<Provider, LRUCache<string, string[]>>()

/**
 * Returns the claims that a token gives access to, as oidc-provider decides. The result depends only on the scopes of the
 * token and of the authorization, so it is cached by these; nothing about a token or a user is cached.
 * @param tokenScope the scopes of the token
 * @returns the names, in the engine's order; without `openid` in both there is no `sub` among them
 */
export async function grantedClaims(
  provider: Provider,
  client: Client,
  tokenScope: string,
  authorization: AuthorizationRow,
): Promise<string[]> {
  const known = remembered.get(provider) ?? new LRUCache<string, string[]>({ max: mostRemembered })
  remembered.set(provider, known)
  const key = `${tokenScope}\n${authorization.scopes.join(' ')}`
  let names = known.get(key)
  if (!names) {
    const grant = new provider.Grant(toGrantPayload(authorization))
    const mask = new (provider as unknown as Masks).Claims(everyClaim, { client })
    const scope = grant.getOIDCScopeFiltered(new Set(tokenScope.split(' ')))
    names = Object.keys(await mask.scope(scope).result())
    known.set(key, names)
  }
  return names
}
