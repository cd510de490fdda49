import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { isApiId } from '@/lib/base/credentials/tokens'
import { assertionRefusals } from '@/lib/features/sso/assertion'
import { proofAlgs } from '@/lib/policy/proof-of-possession'
import { replaceEnginePages } from '../pages/engine-pages'
import {
  answerOutage,
  issuer,
  recordServerError,
  restrictedGrants,
  tokenExchangeGrant,
} from '../protocol/routes'
import { pollingInterval } from '../store/poll-device-code'
import { commasInScope } from './configuration'

/**
 * Changes the responses of oidc-provider to those that docs/api/contract.md requires. Runs after
 * oidc-provider has completed the response.
 */
export async function applyAnswerRules(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  try {
    await next()
  } catch (error) {
    answerUnhandledError(ctx, error)
  }
  answerOutage(ctx)
  if (ctx.response.is('html')) await replaceEnginePages(ctx)
  redirectWith302(ctx)
  clientErrorsAs400(ctx)
  missingTokenAs401(ctx)
  nameMissingClient(ctx)
  refuseGrant(ctx)
  addScope(ctx)
  listCommonGrants(ctx)
  hideDisabledEndpoints(ctx)
  completeDeviceAnswer(ctx)
  emptyRevocationAnswer(ctx)
  answerUnknownPath(ctx)
}

/**
 * Responds to an error that oidc-provider did not handle. oidc-provider handles its own errors, except those
 * thrown while it stores a session. The response to such an error has the error's status and description. Any
 * error of another kind is a defect or a database outage: records the error, and responds with status 500.
 */
function answerUnhandledError(ctx: KoaContextWithOIDC, error: unknown): void {
  if (error instanceof errors.OIDCProviderError && error.statusCode < 500) {
    ctx.status = error.statusCode
    ctx.body = { error: error.error, error_description: error.error_description }
    return
  }
  recordServerError(ctx, error)
  ctx.status = 500
  ctx.body = { error: 'server_error', error_description: 'an internal error occurred: try again later' }
}

/** Changes the status of a redirect after a GET from 303 to 302 (docs/api/contract.md, section 4). */
function redirectWith302(ctx: KoaContextWithOIDC): void {
  if (ctx.status === 303 && ctx.method === 'GET') ctx.status = 302
}

/**
 * Responds to failed client authentication with 400, or with 401 if the client used the Authorization header
 * (RFC 6749 section 5.2).
 */
function clientErrorsAs400(ctx: KoaContextWithOIDC): void {
  const { error } = (ctx.body ?? {}) as { error?: string }
  if (ctx.status === 401 && error === 'invalid_client' && ctx.headers.authorization === undefined) {
    ctx.status = 400
  }
}

/**
 * Responds with 401 at /oauth/me if the request has no usable token (docs/api/contract.md, section 6).
 * oidc-provider reports a malformed request with status 400 instead, for example for an empty Authorization
 * header, a missing DPoP proof (RFC 9449 section 7.1), or a token in the query. If a token in a valid header
 * or in the body is sent in another way too (RFC 6750 section 3.1), or if a token in the body is sent with a
 * DPoP proof, the status remains 400.
 */
function missingTokenAs401(ctx: KoaContextWithOIDC): void {
  if (ctx._matchedRouteName !== 'userinfo' || ctx.status !== 400) return
  const header = ctx.headers.authorization
  const scheme = /^(Bearer|DPoP) \S+$/i.exec(header ?? '')?.[1]?.toLowerCase()
  const proven = ctx.headers.dpop !== undefined
  if (scheme && proven === (scheme === 'dpop')) return
  if (header === undefined && typeof ctx.oidc.body?.access_token === 'string') return
  ctx.status = 401
  if (scheme) {
    const description = proven ? 'a DPoP proof requires the DPoP scheme' : 'the DPoP header is missing'
    const algs = proofAlgs.join(' ')
    ctx.set(
      'www-authenticate',
      `DPoP realm="${issuer()}", error="invalid_dpop_proof", error_description="${description}", algs="${algs}"`,
    )
    ctx.body = { error: 'invalid_dpop_proof', error_description: description }
    return
  }
  ctx.set('www-authenticate', `Bearer realm="${issuer()}", error="invalid_token"`)
  ctx.body = { error: 'invalid_token', error_description: 'no access token provided' }
}

/**
 * Replaces the error description for a request without a client_id. oidc-provider's description mentions only
 * the authentication mechanism.
 */
function nameMissingClient(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { error_description?: string } | undefined
  if (body?.error_description !== 'no client authentication mechanism provided') return
  ctx.body = { ...body, error_description: 'client_id is missing: the request must identify the app' }
}

/**
 * Corrects the error for a grant type that the client cannot use (RFC 6749 section 5.2). Only APIs can
 * exchange tokens (RFC 8693), and they cannot use any other grant type. A client that violates either rule
 * receives `unauthorized_client`. An app that requests a token for itself or presents an assertion, but
 * cannot use the grant type, receives `unsupported_grant_type`, as if the server did not support the grant
 * type. For all other grant types, the error remains `invalid_request`.
 */
function refuseGrant(ctx: KoaContextWithOIDC): void {
  if (ctx._matchedRouteName !== 'token') return
  const { error_description: said } = (ctx.body ?? {}) as { error_description?: string }
  if (said !== 'requested grant type is not allowed for this client') return
  const { client, params } = ctx.oidc
  const answer = (error: string, error_description: string) => {
    ctx.status = 400
    ctx.body = { error, error_description }
  }
  if (client && isApiId(client.clientId)) answer('unauthorized_client', 'an API can only exchange tokens')
  else if (params?.grant_type === tokenExchangeGrant)
    answer('unauthorized_client', 'only an API can exchange tokens')
  else if (restrictedGrants.includes(String(params?.grant_type)))
    answer('unsupported_grant_type', 'unsupported grant_type requested')
}

/**
 * Adds an empty `scope` to token responses without `scope`, because every token response must contain `scope`
 * (docs/api/contract.md). For tokens without a user, oidc-provider can omit it.
 */
function addScope(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { access_token?: string; scope?: string } | undefined
  if (ctx._matchedRouteName === 'token' && body?.access_token && body.scope === undefined) body.scope = ''
}

/**
 * Removes the metadata of features that an instance admin disabled: dynamic registration and metadata
 * documents. These metadata fields are optional (RFC 8414 section 2).
 */
function hideDisabledEndpoints(ctx: KoaContextWithOIDC): void {
  if (ctx._matchedRouteName !== 'discovery') return
  const body = ctx.body as Record<string, unknown>
  if (config().dynamicRegistration === 'off') delete body.registration_endpoint
  if (config().metadataDocuments === 'off') delete body.client_id_metadata_document_supported
}

/**
 * Removes the grant types in `restrictedGrants` from the metadata (docs/api/contract.md), because only some
 * apps, or only APIs, can use them.
 */
function listCommonGrants(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { grant_types_supported?: string[] } | undefined
  if (ctx._matchedRouteName !== 'discovery' || !body?.grant_types_supported) return
  body.grant_types_supported = body.grant_types_supported.filter((grant) => !restrictedGrants.includes(grant))
}

/**
 * Removes the content type of an empty revocation response (RFC 7009 section 2.2). oidc-client-ts rejects the
 * response if its content type is text.
 */
function emptyRevocationAnswer(ctx: KoaContextWithOIDC): void {
  if (ctx.status === 200 && ctx._matchedRouteName === 'revocation' && ctx.body === '')
    ctx.remove('content-type')
}

/**
 * Replaces the URLs in the device response with those of our own page, and adds the polling interval (RFC
 * 8628 section 3.2).
 */
function completeDeviceAnswer(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { user_code?: string } | undefined
  if (ctx.status !== 200 || ctx._matchedRouteName !== 'device_authorization' || !body?.user_code) return
  const page = `${config().BASE_URL}/device`
  ctx.body = {
    ...body,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${encodeURIComponent(body.user_code)}`,
    interval: pollingInterval,
  }
}

function answerUnknownPath(ctx: KoaContextWithOIDC): void {
  if (ctx.status !== 404 || ctx.body) return
  ctx.status = 404
  ctx.body = { error: 'invalid_request', error_description: `no endpoint at ${ctx.method} ${ctx.path}` }
}

const usedBefore = (what: string) =>
  `the ${what} was already used, so all tokens issued for it were revoked: start a new sign-in`
const unknown = (what: string) => `the ${what} is unknown: it was revoked, has expired, or never existed`

/**
 * The error descriptions that the client receives, keyed by the error detail that oidc-provider only logs.
 */
const explanations: Record<string, string> = {
  'authorization code not found': unknown('authorization code'),
  'refresh token not found': unknown('refresh token'),
  'device code not found': unknown('device code'),
  'authorization code is expired': 'the authorization code has expired: codes are valid for 60 seconds',
  'refresh token is expired': 'the refresh token has expired: start a new sign-in',
  'authorization code already consumed': usedBefore('authorization code'),
  'device code already consumed': usedBefore('device code'),
  'refresh token already used':
    'the refresh token was already used, so the authorization was revoked: someone else might have the token',
  'lost the race for this code': 'the authorization code was used by another request at the same time',
  'credential was used by another request': 'the credential was used by another request at the same time',
  'client mismatch': 'the code or token was issued to another client',
  'authorization code redirect_uri mismatch': 'redirect_uri does not match the authorization request',
  'code_verifier must be provided':
    'code_verifier is missing: the authorization request had a code_challenge',
  'code_verifier does not match code_challenge':
    'code_verifier does not match the code_challenge of the authorization request',
  'failed jkt verification':
    'the DPoP proof is missing or does not match the key that the refresh token is bound to',
  'missing DPoP proof JWT': 'the DPoP proof is missing: the authorization request was bound to a DPoP key',
  'DPoP proof key thumbprint does not match dpop_jkt':
    'the DPoP proof does not match the key of the authorization request',
}

/** The reasons why an assertion can be rejected, which the app receives as the error description. */
const assertionReasons = new Set<string>(Object.values(assertionRefusals))

/**
 * Replaces the description of an `invalid_grant` error at /oauth/token with the reason, if the reason is
 * known (RFC 6749 section 5.2). Only an authenticated client or the holder of the code or token can read the
 * description. A revoked credential leaves no record, so its description is the same as for an unknown
 * credential. If a request separates scopes with commas, the description of the `invalid_scope` error states
 * that scopes are separated by spaces.
 */
export function explainRefusedGrants(provider: Provider): void {
  provider.on('grant.error', (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    const description = explain(ctx, error)
    if (description && isJson(ctx.body)) ctx.body = { ...ctx.body, error_description: description }
  })
}

/** Returns whether a response body is JSON. A browser that opens the endpoint receives a page instead. */
const isJson = (body: unknown): body is object => typeof body === 'object' && body !== null

function explain(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): string | undefined {
  if (error.error === 'invalid_scope') return commasInScope(ctx)
  if (error.error !== 'invalid_grant') return undefined
  const detail = error.error_detail ?? ''
  return assertionReasons.has(detail) ? detail : explanations[detail]
}
