import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { assertionRefusals } from '@/lib/features/sso/assertion'
import { proofAlgs } from '@/lib/policy/proof-of-possession'
import { replaceEnginePages } from '../pages/engine-pages'
import { grantsOfSome, issuer, noteDefect, tellOutage } from '../protocol/routes'
import { pollingInterval } from '../store/poll-device-code'
import { commasInScope } from './configuration'

/**
 * Where docs/api/contract.md wants another answer than the engine gives. Runs around the engine, once its answer is
 * complete.
 */
export async function applyAnswerRules(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  try {
    await next()
  } catch (error) {
    answerEscaped(ctx, error)
  }
  tellOutage(ctx)
  if (ctx.response.is('html')) await replaceEnginePages(ctx)
  redirectWith302(ctx)
  clientErrorsAs400(ctx)
  missingTokenAs401(ctx)
  nameMissingClient(ctx)
  refuseUnknownGrant(ctx)
  stateScope(ctx)
  listGrantsOfEverybody(ctx)
  hideClosedRegistration(ctx)
  completeDeviceAnswer(ctx)
  emptyRevocationAnswer(ctx)
  nameUnknownPaths(ctx)
}

/**
 * The engine handles its own errors, except where it stores a session, which may be refused for what a request put there.
 * Anything else that escapes is a defect or a database that does not answer.
 */
function answerEscaped(ctx: KoaContextWithOIDC, error: unknown): void {
  if (error instanceof errors.OIDCProviderError && error.statusCode < 500) {
    ctx.status = error.statusCode
    ctx.body = { error: error.error, error_description: error.error_description }
    return
  }
  noteDefect(ctx, error)
  ctx.status = 500
  ctx.body = { error: 'server_error', error_description: 'something went wrong on our side' }
}

/** Redirects that answer a GET are 302 (docs/api/contract.md, section 4). */
function redirectWith302(ctx: KoaContextWithOIDC): void {
  if (ctx.status === 303 && ctx.method === 'GET') ctx.status = 302
}

/** A client that failed to authenticate is answered 400, or 401 if it used the Authorization header (RFC 6749 5.2). */
function clientErrorsAs400(ctx: KoaContextWithOIDC): void {
  const { error } = (ctx.body ?? {}) as { error?: string }
  if (ctx.status === 401 && error === 'invalid_client' && ctx.headers.authorization === undefined) {
    ctx.status = 400
  }
}

/**
 * Without a token that can be taken, /oauth/me is 401 (docs/api/contract.md, section 6), where the engine finds fault with the form of the
 * request: an Authorization header that holds no token, a bound token without its proof or a proof without its scheme
 * (RFC 9449 section 7.1), a token in the address alone. A token sent in two ways stays a 400 (RFC 6750 section 3.1).
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
    const description = proven ? 'a proof goes with the scheme DPoP' : 'the DPoP header is missing'
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

/** A request that names no client is told what to send; the engine has a word for the mechanism alone. */
function nameMissingClient(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { error_description?: string } | undefined
  if (body?.error_description !== 'no client authentication mechanism provided') return
  ctx.body = { ...body, error_description: 'client_id is missing: the request must say which app sends it' }
}

/**
 * An app that cannot be installed, or has no secret to be managed through SSO, is told of the grants for these what it is told of any
 * other that this server does not have (RFC 6749 section 5.2).
 */
function refuseUnknownGrant(ctx: KoaContextWithOIDC): void {
  if (ctx._matchedRouteName !== 'token' || !grantsOfSome.includes(String(ctx.oidc.params?.grant_type))) return
  const { error_description: said } = (ctx.body ?? {}) as { error_description?: string }
  if (said !== 'requested grant type is not allowed for this client') return
  ctx.status = 400
  ctx.body = { error: 'unsupported_grant_type', error_description: 'unsupported grant_type requested' }
}

/** Every answer with a token states its scope (docs/api/contract.md), also where an app asks for itself and there is none. */
function stateScope(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { access_token?: string; scope?: string } | undefined
  if (ctx._matchedRouteName === 'token' && body?.access_token && body.scope === undefined) body.scope = ''
}

/** The metadata lists no kind of registration that the instance admin has turned off (RFC 8414 section 2: both are optional). */
function hideClosedRegistration(ctx: KoaContextWithOIDC): void {
  if (ctx._matchedRouteName !== 'discovery') return
  const body = ctx.body as Record<string, unknown>
  if (config().dynamicRegistration === 'off') delete body.registration_endpoint
  if (config().metadataDocuments === 'off') delete body.client_id_metadata_document_supported
}

/** The metadata lists the grants that any app may have, as docs/api/contract.md does. */
function listGrantsOfEverybody(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { grant_types_supported?: string[] } | undefined
  if (ctx._matchedRouteName !== 'discovery' || !body?.grant_types_supported) return
  body.grant_types_supported = body.grant_types_supported.filter((grant) => !grantsOfSome.includes(grant))
}

/** An empty answer has no type (RFC 7009 section 2.2); oidc-client-ts takes fault at a text. */
function emptyRevocationAnswer(ctx: KoaContextWithOIDC): void {
  if (ctx.status === 200 && ctx._matchedRouteName === 'revocation' && ctx.body === '')
    ctx.remove('content-type')
}

/** The device's answer names our own pages, and how often to ask (RFC 8628 section 3.2). */
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

function nameUnknownPaths(ctx: KoaContextWithOIDC): void {
  if (ctx.status !== 404 || ctx.body) return
  ctx.status = 404
  ctx.body = { error: 'invalid_request', error_description: `there is nothing at ${ctx.method} ${ctx.path}` }
}

const usedBefore = (what: string) =>
  `the ${what} was used before; everything that was issued for it has ended, start a new sign-in`
const unknown = (what: string) =>
  `the ${what} is not known here: it has been revoked, expired long ago, or never was`

/** What the engine's own words of a refusal, which go to the log alone, mean to whoever holds the credential. */
const explanations: Record<string, string> = {
  'authorization code not found': unknown('authorization code'),
  'refresh token not found': unknown('refresh token'),
  'device code not found': unknown('device code'),
  'authorization code is expired': 'the authorization code has expired: it is good for 60 seconds',
  'refresh token is expired': 'the refresh token has expired, start a new sign-in',
  'authorization code already consumed': usedBefore('authorization code'),
  'device code already consumed': usedBefore('device code'),
  'refresh token already used':
    'the refresh token was used before, so the authorization has ended: somebody else may have had it',
  'lost the race for this code': 'the authorization code was used by another request at the same time',
  'credential was used by another request': 'the credential was used by another request at the same time',
  'client mismatch': 'the code or token was issued to another client',
  'authorization code redirect_uri mismatch':
    'redirect_uri is not the one that the authorization request named',
  'code_verifier must be provided':
    'code_verifier is missing: the authorization request had a code_challenge',
  'code_verifier does not match code_challenge':
    'code_verifier does not match the code_challenge of the authorization request',
  'failed jkt verification': 'the DPoP proof is missing or not of the key that the refresh token is bound to',
  'missing DPoP proof JWT': 'the authorization request named a DPoP key: send a proof of it',
  'DPoP proof key thumbprint does not match dpop_jkt':
    'the DPoP proof is not of the key that the authorization request named',
}

/** Of an assertion the detail is fit for the app as it is. */
const assertionReasons = new Set<string>(Object.values(assertionRefusals))

/**
 * Says at /oauth/token which of its many reasons an `invalid_grant` has (RFC 6749 section 5.2 leaves the description to
 * us). Whoever gets to read it has authenticated as the client, or holds the code or token that it is about. What was
 * revoked leaves no trace, so it is answered as what never was.
 */
export function explainRefusedGrants(provider: Provider): void {
  provider.on('grant.error', (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    const description = explain(ctx, error)
    if (description && isJson(ctx.body)) ctx.body = { ...ctx.body, error_description: description }
  })
}

/** A browser that opens the endpoint gets a page instead. */
const isJson = (body: unknown): body is object => typeof body === 'object' && body !== null

function explain(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): string | undefined {
  if (error.error === 'invalid_scope') return commasInScope(ctx)
  if (error.error !== 'invalid_grant') return undefined
  const detail = error.error_detail ?? ''
  return assertionReasons.has(detail) ? detail : explanations[detail]
}
