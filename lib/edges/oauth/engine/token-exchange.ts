import { type AccessToken, type Client, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { credentialKind } from '@/lib/base/credentials/tokens'
import type { PrivateJwk } from '@/lib/features/keys/signing-keys'
import { type Api, authenticateApi, findApi } from '@/lib/features/resources/apis'
import { tokenExchangeGrant } from '../protocol/routes'
import { grantedApi } from '../store/api-access'
import {
  type ActClaim,
  type ApiCredentials,
  type ApiToken,
  actorsOf,
  apiInForm,
  apiInHeader,
  findApiToken,
} from '../store/api-tokens'
import { secretPlaceholder } from '../store/clients'
import { currentUnit } from '../store/request-unit'
import { apiResourceServer } from './api-resources'
import { proofOfRequest } from './internals'

/**
 * Token exchange (RFC 8693): an API that received an access token can get a token for the next API. The new
 * token is for the same user, app, and authorization.
 *
 * The exchange is registered as an oidc-provider grant, so that token formats, signatures, DPoP, errors, and
 * the commit are handled in one place. An API is not stored as an OAuth client. At the token endpoint, the
 * API's credentials identify a client object that can use only this grant. At all other endpoints of
 * oidc-provider, an API's ID does not identify a client, so an API cannot use them. http/api-introspection
 * answers introspection requests of APIs.
 */

const types = 'urn:ietf:params:oauth:token-type'
const accessTokenType = `${types}:access_token`
const jwtType = `${types}:jwt`

/** The maximum number of exchanges in a call chain. */
const mostActors = 3

const parameters = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'actor_token',
  'actor_token_type',
  'audience',
  'resource',
  'scope',
] as const

/** Adds the grant type to oidc-provider. @param keys the signing keys */
export function acceptTokenExchange(provider: Provider, keys: readonly PrivateJwk[]): void {
  provider.registerGrantType(tokenExchangeGrant, (ctx) => exchange(provider, keys, ctx), parameters, [
    'resource',
  ])
}

/** The authenticated API of each token request, and the secret that the API sent. */
const callers = new WeakMap<object, { api: Api; secret: string }>()

const clients = new WeakMap<Provider, WeakMap<Api, Client>>()

/**
 * Returns the client object of the API that sends the current token request, and records the API as the
 * request's caller. The object is cached until this process loads the APIs again.
 * @param id the API's ID
 * @returns undefined if the request contains no valid credentials of this API, or is not a token request
 */
export async function findApiClient(provider: Provider, id: string): Promise<Client | undefined> {
  const ctx = Provider.ctx
  const sent = ctx && credentialsOf(ctx)
  const api = sent?.id === id ? await authenticateApi(id, sent.secret) : undefined
  if (!ctx || !sent || !api) return undefined
  callers.set(ctx, { api, secret: sent.secret })
  const known = clients.get(provider) ?? new WeakMap<Api, Client>()
  clients.set(provider, known)
  const client = known.get(api) ?? clientFor(provider, api)
  known.set(api, client)
  return client
}

/** Returns the credentials of an API in a token request; undefined for any other request or credentials. */
function credentialsOf({ headers, oidc }: KoaContextWithOIDC): ApiCredentials | undefined {
  if (oidc.route !== 'token') return undefined
  const { client_id: id, client_secret: secret } = (oidc.params ?? {}) as Record<string, string | undefined>
  return apiInHeader(headers.authorization) ?? apiInForm(id, secret)
}

function clientFor(provider: Provider, api: Api): Client {
  const { Client: Model } = provider as unknown as { Client: new (metadata: object) => Client }
  const client = new Model({
    client_id: api.id,
    client_name: api.name,
    client_secret: secretPlaceholder,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: [tokenExchangeGrant],
    response_types: [],
    redirect_uris: [],
  })
  return Object.assign(client, {
    /** Returns whether a secret is the one that `findApiClient` has already verified in this request. */
    compareClientSecret: (presented: string) =>
      Provider.ctx !== undefined && callers.get(Provider.ctx)?.secret === presented,
  })
}

/**
 * Returns the error for an unusable subject token (RFC 8693 section 2.2.2). The description is the same for
 * all reasons, so that an API learns nothing about other tokens.
 */
const inactive = () =>
  new errors.InvalidRequest(
    'subject_token is not an active access token for this API: it must be the one that the API received',
  )

type Params = Partial<Record<(typeof parameters)[number], string>>

async function exchange(
  provider: Provider,
  keys: readonly PrivateJwk[],
  ctx: KoaContextWithOIDC,
): Promise<void> {
  const caller = callers.get(ctx)?.api
  const unit = currentUnit()
  if (!caller || !unit) throw new errors.UnauthorizedClient('only an API can exchange tokens')
  const params = (ctx.oidc.params ?? {}) as Params
  const token = subjectTokenOf(params)
  const target = await targetOf(params, caller)
  unit.lost = inactive
  const subject = await findApiToken(keys, caller, token, (key) => unit.present(key))
  if (!subject) throw inactive()
  const act = actOf(caller, subject)
  const scope = await scopeOf(target, subject, params.scope)
  const proof = await proofOfRequest(provider, ctx, caller.id)
  if (subject.payload.jkt && !proof.thumbprint) {
    throw new errors.InvalidRequest(
      'subject_token is bound to a DPoP key: send a DPoP proof from this API to bind the new token to its key',
    )
  }
  const { payload } = subject
  const seconds = Math.min(target.tokenLifetime, secondsLeft(subject))
  if (seconds <= 0) throw inactive()
  const issued = newToken(provider, {
    accountId: subject.userId,
    // The new token is issued to the app, although the app does not take part in this request.
    client: { clientId: payload.clientId, subjectType: 'public' },
    grantId: subject.access.authorizationId,
    sid: payload.sid,
    sessionUid: payload.sessionUid,
    gty: tokenExchangeGrant,
    scope,
    exp: now() + seconds,
    expiresIn: seconds,
  })
  issued.act = act
  issued.resourceServer = new (provider as unknown as Models).ResourceServer(
    target.identifier,
    apiResourceServer(target),
  )
  await proof.spend()
  if (proof.thumbprint) issued.setThumbprint('jkt', proof.thumbprint)
  ctx.oidc.entity('AccessToken', issued)
  const value = await issued.save()
  ctx.body = {
    access_token: value,
    issued_token_type: accessTokenType,
    token_type: issued.tokenType,
    expires_in: seconds,
    scope,
    authorization_details: issued.rar,
  }
}

type Models = { ResourceServer: new (identifier: string, info: object) => AccessToken['resourceServer'] }

/** An access token with the properties that the types of oidc-provider omit. */
type NewToken = AccessToken & { act?: ActClaim; rar?: unknown }

const newToken = (provider: Provider, fields: object): NewToken => new provider.AccessToken(fields as never)

const now = () => Math.floor(Date.now() / 1000)

/**
 * Returns the remaining lifetime of a token in seconds. The token ends when its row expires, by the
 * database's clock, or at its `exp`, if that is earlier.
 */
const secondsLeft = ({ artifact: { expiresAt, readAt }, payload: { exp } }: ApiToken): number =>
  Math.min(Math.floor((expiresAt - readAt) / 1000), exp - now())

/**
 * Returns the subject token of a request.
 * @throws errors.InvalidRequest if the token or its type is missing, if the type does not match the token, or
 * if the request is for another kind of exchange
 */
function subjectTokenOf(params: Params): string {
  const { subject_token: token, subject_token_type: type, requested_token_type: requested } = params
  if (!token || !type) {
    const missing = ['subject_token', 'subject_token_type'].filter((name) => !params[name as keyof Params])
    throw new errors.InvalidRequest(`missing required parameter(s) '${missing.join("', '")}'`)
  }
  if (type !== accessTokenType && type !== jwtType)
    throw new errors.InvalidRequest(`subject_token_type must be ${accessTokenType} or ${jwtType}`)
  if (requested !== undefined && requested !== accessTokenType)
    throw new errors.InvalidRequest(`requested_token_type must be ${accessTokenType} or omitted`)
  if (params.actor_token !== undefined || params.actor_token_type !== undefined)
    throw new errors.InvalidRequest('actor_token is not supported: the actor is the API that authenticates')
  if (type === jwtType && credentialKind(token) !== undefined) throw inactive()
  return token
}

/**
 * Returns the API that the new token is for.
 * @throws errors.InvalidRequest if there is no resource
 * @throws errors.InvalidTarget if there is an `audience`, or unless the request names exactly one registered
 * API other than the caller
 */
async function targetOf({ resource, audience }: Params, caller: Api): Promise<Api> {
  if (audience !== undefined) throw new errors.InvalidTarget('audience is not supported: use resource')
  if (Array.isArray(resource)) throw new errors.InvalidTarget('only one resource can be requested')
  if (!resource) throw new errors.InvalidRequest("missing required parameter(s) 'resource'")
  const target = await findApi(resource)
  if (!target) throw new errors.InvalidTarget('the resource is not a registered API')
  if (target.id === caller.id)
    throw new errors.InvalidTarget('the resource is the API itself: use the token that it received')
  return target
}

/**
 * Returns the `act` claim of the new token: the caller, followed by the APIs that exchanged the token
 * earlier.
 * @throws errors.InvalidRequest if the chain is too long
 */
function actOf(caller: Api, { payload }: ApiToken): ActClaim {
  const before = payload.extra?.act
  if (actorsOf(before).length >= mostActors) {
    throw new errors.InvalidRequest(
      `subject_token was already exchanged ${mostActors} times, which is the limit: the call chain must end at this API`,
    )
  }
  return { sub: caller.id, ...(before && { act: before }) }
}

/**
 * Returns the scopes of the new token, separated by spaces: the requested scopes that the user granted the
 * app at the API, or all granted scopes if the request has no `scope`.
 * @throws errors.InvalidScope if the API does not have a requested scope, or if the user granted none of the
 * requested scopes
 * @throws errors.InvalidTarget if the user granted the app no access to the API
 */
async function scopeOf(target: Api, { access }: ApiToken, requested: string | undefined): Promise<string> {
  const granted = (await grantedApi(access.authorizationId, target))?.scopes
  if (!granted) throw new errors.InvalidTarget('the user has not granted the app access to this resource')
  if (requested === undefined) return granted.join(' ')
  const asked = [...new Set(requested.split(' '))]
  const wrong = asked.find((scope) => !target.scopes.some(({ name }) => name === scope))
  if (wrong !== undefined)
    throw new errors.InvalidScope('the requested resource does not have this scope', wrong)
  const left = asked.filter((scope) => granted.includes(scope))
  if (left.length === 0)
    throw new errors.InvalidScope('the user has not granted the app these scopes', requested)
  return left.join(' ')
}
