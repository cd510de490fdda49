import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import { type Client, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import als from 'oidc-provider/lib/helpers/als.js'
import * as helpers from 'oidc-provider/lib/helpers/grants.js'
import type { CredentialKind } from '@/lib/base/credentials/tokens'
import { scopedValue } from '@/lib/base/log/request-scope'
import { endSignIn } from '@/lib/features/apps/activity/back-channel-logout'
import { claims, toGrantPayload } from '../store/account'
import { findClientRow } from '../store/clients'
import { currentUnit } from '../store/request-unit'
import { mintBeside } from '../store/shards'
import type { AuthorizationRow, ClientRow } from '../store/snapshot'

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

/**
 * Keeps oidc-provider's context of a request in the AsyncLocalStorage that names requests: on Node 20, each further one adds to the
 * cost of every promise in the process.
 */
export function shareRequestScope(): void {
  const context = scopedValue<KoaContextWithOIDC>('oauth-context')
  Object.assign(als, { run: context.run, getStore: context.now })
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
 *
 * A key expires with the key set that it was read from. The engine only fetches an app's key set again when an assertion matches
 * none of the keys it has, so a key that the app withdrew would stay valid until someone used another. A set whose time is up
 * is emptied here, and the engine fetches it for the assertion at hand.
 */
export function keepClientInstances(provider: Provider): void {
  const made = new WeakMap<ClientRow, Client>()
  instances.set(provider, made)
  const engineFind = provider.Client.find.bind(provider.Client)
  provider.Client.find = async (id) => {
    const row = typeof id === 'string' && id !== '' ? await findClientRow(id) : undefined
    const client = (row && made.get(row)) ?? (await engineFind(id))
    if (client && row) made.set(row, client)
    if (client?.jwksUri) {
      const { asymmetricKeyStore: keys } = client as unknown as { asymmetricKeyStore: KeyStore }
      if (keys.stale()) keys.clear()
    }
    return client
  }
}

type KeyStore = { stale(): boolean; clear(): void }

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
