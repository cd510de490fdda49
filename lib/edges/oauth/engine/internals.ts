import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import { type Client, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import als from 'oidc-provider/lib/helpers/als.js'
import * as helpers from 'oidc-provider/lib/helpers/grants.js'
import { type CredentialKind, isApiId } from '@/lib/base/credentials/tokens'
import { scopedValue } from '@/lib/base/log/request-scope'
import { endSignIn } from '@/lib/features/apps/activity/back-channel-logout'
import { claims, toGrantPayload } from '../store/account'
import { findClientRow } from '../store/clients'
import { currentUnit } from '../store/request-unit'
import { mintInShardOf } from '../store/shards'
import type { AuthorizationRow, ClientRow } from '../store/snapshot'

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/**
 * Returns the oidc-provider instance that handles a request. The instance is also the Koa application, so
 * this function works before `ctx.oidc` exists.
 */
export const providerOf = (ctx: KoaContextWithOIDC): Provider => ctx.app as never as Provider

/**
 * Adds middleware that runs around oidc-provider. The first middleware in the list is the outermost.
 * Middleware can read `ctx.oidc` only after `next` has completed, because the property does not exist until
 * the router has matched the route. The call needs a cast, because the types of oidc-provider declare only
 * the Koa context.
 */
export function addMiddleware(provider: Provider, middlewares: Middleware[]): void {
  for (const middleware of middlewares) provider.use(middleware as never)
}

/**
 * Makes oidc-provider store its request context in the same AsyncLocalStorage as our request IDs. Sharing the
 * instance saves time: on Node 20, each additional AsyncLocalStorage adds to the cost of every promise in the
 * process.
 */
export function shareRequestScope(): void {
  const context = scopedValue<KoaContextWithOIDC>('oauth-context')
  Object.assign(als, { run: context.run, getStore: context.now })
}

/**
 * Returns middleware that runs only for an endpoint and the paths below it. Ignores case, like the router of
 * oidc-provider.
 */
export const at =
  (endpoint: string, middleware: Middleware): Middleware =>
  (ctx, next) => {
    const path = ctx.path.toLowerCase()
    return path === endpoint || path.startsWith(`${endpoint}/`) ? middleware(ctx, next) : next()
  }

type Proof = { thumbprint: string; jti: string }

/** The helper functions of oidc-provider's own grants that our grants also use. */
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
 * Validates the DPoP proof of a token request (RFC 9449 section 5), as the grants of oidc-provider do. After
 * all other checks, call `spend`, which records that the proof was used and rejects a proof that was already
 * used.
 * @throws errors.InvalidDpopProof if the proof is invalid, or errors.InvalidGrant if a required proof is
 *   missing
 */
export async function proofOfRequest(provider: Provider, ctx: KoaContextWithOIDC, clientId: string) {
  const proof = await validateDpop(provider, ctx)
  checkDpopRequired(provider, ctx, proof)
  return {
    /** The thumbprint of the client's key; undefined without a proof. */
    thumbprint: proof?.thumbprint,
    spend: () => checkDpopReplay(provider, ctx, proof, clientId),
  }
}

const instances = new WeakMap<Provider, WeakMap<ClientRow, Client>>()

/** Returns the cached client object of oidc-provider for the current row; undefined if there is none. */
export const knownClient = (provider: Provider, row: ClientRow): Client | undefined =>
  instances.get(provider)?.get(row)

/**
 * Caches the client object of oidc-provider until the client's row changes. oidc-provider also caches it, but
 * serializes and hashes the metadata with every request.
 *
 * oidc-provider fetches an app's key set again only when an assertion matches none of the keys, so a
 * withdrawn key would stay valid until the client uses another key. Therefore, each lookup of a client clears
 * the client's key set if it has expired. oidc-provider then fetches the key set again for the next
 * assertion.
 * @param findApiClient returns the client object of an API (see ./token-exchange)
 */
export function cacheClientInstances(
  provider: Provider,
  findApiClient: (provider: Provider, id: string) => Promise<Client | undefined>,
): void {
  const made = new WeakMap<ClientRow, Client>()
  instances.set(provider, made)
  const engineFind = provider.Client.find.bind(provider.Client)
  provider.Client.find = async (id) => {
    if (typeof id === 'string' && isApiId(id)) return findApiClient(provider, id)
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

/** The claims mask of oidc-provider, which its types omit (lib/helpers/claims.js). */
type Masks = { Claims: new (available: object, of: { client: Client }) => Mask }
type Mask = { scope: (scope: string) => Mask; result: () => Promise<Record<string, unknown>> }

const everyClaim = Object.fromEntries(
  Object.values(claims).flatMap((names) => names.map((name) => [name, true])),
)

/**
 * The maximum number of cached pairs of scope sets. Only a few pairs are in use at a time, so a client that
 * sends many different scope sets evicts only unused pairs.
 */
const mostRemembered = 1_000
const remembered = new WeakMap<Provider, LRUCache<string, string[]>>()

/**
 * Returns the names of the claims that a token gives access to, as determined by oidc-provider. The result
 * depends only on the scopes of the token and of the authorization, so the cache key consists of these
 * scopes. No data about a token or a user is cached.
 * @param tokenScope the scopes of the token
 * @returns the names in the order of oidc-provider. Includes `sub` only if the token and the authorization
 *   both have `openid`.
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
 * Gives the codes and tokens of oidc-provider our format: a prefix that secret scanners recognize, 256 random
 * bits, and a checksum (lib/base/credentials/tokens).
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
      generateTokenId(this: { format?: string; resourceServer?: { accessTokenFormat?: string } }) {
        // Only access tokens for an API can be JWTs. All other tokens are opaque.
        if (kind === 'accessToken' || kind === 'installationToken')
          this.format = this.resourceServer?.accessTokenFormat === 'jwt' ? 'jwt' : 'opaque'
        const unit = currentUnit()
        const minted = kind === 'installationToken' && unit?.managed ? 'managedToken' : kind
        return mintInShardOf(minted, unit?.collects ? unit.presented : undefined)
      },
    })
  }
}

type Context = NonNullable<typeof Provider.ctx>

/**
 * Returns the bearer or DPoP token of a request, as oidc-provider reads it (RFC 6750, RFC 9449). The call
 * needs a cast, because the types of oidc-provider omit an option that its own endpoints use.
 * @returns undefined if the request has no token or is malformed; the endpoint rejects such a request
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
 * Replaces the back-channel logout of oidc-provider, which would call each app while the user waits. The
 * replacement ends the sign-in, and a background job notifies the app
 * (lib/features/apps/activity/back-channel-logout), as it does when a session ends in any other way.
 */
export function notifyAppsByJob(provider: Provider): void {
  Object.assign(provider.Client.prototype, {
    async backchannelLogout(this: Client, _sub: string, sid: string): Promise<void> {
      await endSignIn(this.clientId, sid)
    },
  })
}

/**
 * Returns a logout token (OpenID Connect Back-Channel Logout section 2.4), signed like the app's ID tokens.
 * The token contains `sid` only if the app requires this claim.
 */
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
 * Verifies the issuer and signature of an ID token with our keys, without looking up its client. Accepts an
 * expired ID token. oidc-provider receives only the client properties that it checks: the audience and the
 * algorithm.
 * @throws Error if this server did not issue the ID token
 */
export async function validateOwnIdToken(provider: Provider, idToken: string): Promise<void> {
  const { alg } = decodeProtectedHeader(idToken)
  const client = { clientId: decodeJwt(idToken).aud, idTokenSignedResponseAlg: alg }
  await provider.IdToken.validate(idToken, client as never)
}

/**
 * Returns the secret that the form of the sign-out confirmation must contain, or undefined if there is none.
 */
export const signOutSecret = (ctx: KoaContextWithOIDC): string | undefined =>
  (ctx.oidc.session as { state?: { secret?: string } }).state?.secret
