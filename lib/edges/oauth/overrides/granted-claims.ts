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

/** Pairs of scopes that are remembered; there are few, unless somebody sends many. */
const mostRemembered = 1_000
const remembered = new WeakMap<Provider, Map<string, string[]>>()

/**
 * Which claims a token gives access to: what the engine says, asked once for each pair of what the token and the
 * authorization carry, since it depends on nothing else. Nothing is remembered of a token or a person.
 * @param tokenScope the scopes of the token
 * @returns the names, in the engine's order; without `openid` in both there is no `sub` among them
 */
export async function grantedClaims(
  provider: Provider,
  client: Client,
  tokenScope: string,
  authorization: AuthorizationRow,
): Promise<string[]> {
  const known = remembered.get(provider) ?? new Map<string, string[]>()
  remembered.set(provider, known)
  const key = `${tokenScope}\n${authorization.scopes.join(' ')}`
  let names = known.get(key)
  if (!names) {
    const grant = new provider.Grant(toGrantPayload(authorization))
    const mask = new (provider as unknown as Masks).Claims(everyClaim, { client })
    const scope = grant.getOIDCScopeFiltered(new Set(tokenScope.split(' ')))
    names = Object.keys(await mask.scope(scope).result())
    if (known.size >= mostRemembered) known.clear()
    known.set(key, names)
  }
  return names
}
