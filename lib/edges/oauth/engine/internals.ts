import { LRUCache } from 'lru-cache'
import type { Client, KoaContextWithOIDC, Provider } from 'oidc-provider'
import * as helpers from 'oidc-provider/lib/helpers/grants.js'
import { claims, toGrantPayload } from '../store/account'
import type { ClientRow } from '../store/client-cache'
import { findClientRow } from '../store/clients'
import type { AuthorizationRow } from '../store/snapshot'

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/** The engine that answers a request, also where it has not made its own context yet: it is the Koa application itself. */
export const providerOf = (ctx: KoaContextWithOIDC): Provider => ctx.app as never as Provider

/**
 * Has middlewares stand around the engine, the first outermost. Its types know Koa's context alone; `ctx.oidc` is there once
 * its router has found the route.
 */
export function standAround(provider: Provider, middlewares: Middleware[]): void {
  for (const middleware of middlewares) provider.use(middleware as never)
}

/** A middleware for an endpoint and what is below it. Paths are compared as the engine's router does, whatever their case. */
export const at =
  (endpoint: string, middleware: Middleware): Middleware =>
  (ctx, next) => {
    const path = ctx.path.toLowerCase()
    return path === endpoint || path.startsWith(`${endpoint}/`) ? middleware(ctx, next) : next()
  }

type Proof = { thumbprint: string; jti: string }

/** The parts of the engine's own grants that a grant of ours needs, typed. */
type Helpers = {
  validateDpop(provider: Provider, ctx: KoaContextWithOIDC): Promise<Proof | undefined>
  checkDpopReplay(
    provider: Provider,
    ctx: KoaContextWithOIDC,
    proof: Proof | undefined,
    clientId: string,
  ): Promise<void>
  checkDpopRequired(provider: Provider, ctx: KoaContextWithOIDC, proof: Proof | undefined): void
}

const { validateDpop, checkDpopReplay, checkDpopRequired } = helpers as unknown as Helpers

/**
 * The DPoP proof of a token request (RFC 9449 section 5), as the engine's own grants check it; to be spent when all else is well.
 * @throws errors.InvalidDpopProof, errors.InvalidGrant where the client has to send one
 */
export async function proofOfRequest(provider: Provider, ctx: KoaContextWithOIDC, clientId: string) {
  const proof = await validateDpop(provider, ctx)
  checkDpopRequired(provider, ctx, proof)
  return {
    /** Of the key that the client holds; undefined where it sent no proof. */
    thumbprint: proof?.thumbprint,
    spend: () => checkDpopReplay(provider, ctx, proof, clientId),
  }
}

const instances = new WeakMap<Provider, WeakMap<ClientRow, Client>>()

/** The engine's object of a client, if an earlier request has made it from the row as it is now. */
export const knownClient = (provider: Provider, row: ClientRow): Client | undefined =>
  instances.get(provider)?.get(row)

/**
 * Keeps the engine's object of a client for as long as its row stays the same. The engine does so too, but finds out by
 * serialising and hashing the client's metadata with every request.
 */
export function keepClientInstances(provider: Provider): void {
  const made = new WeakMap<ClientRow, Client>()
  instances.set(provider, made)
  const engineFind = provider.Client.find.bind(provider.Client)
  provider.Client.find = async (id) => {
    const row = typeof id === 'string' && id !== '' ? await findClientRow(id) : undefined
    const known = row && made.get(row)
    if (known) return known
    const client = await engineFind(id)
    if (client && row) made.set(row, client)
    return client
  }
}

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
