import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { ExternalSigningKey, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { recorder, step } from '@/lib/base/telemetry/telemetry'
import { clientSigningAlgs } from '@/lib/features/apps/public-keys'
import { type PrivateJwk, signingAlgs } from '@/lib/features/keys/signing-keys'
import { proofAlgs } from '@/lib/policy/proof-of-possession'
import { allScopes } from '@/lib/policy/scopes'
import { renderError } from '../pages/engine-pages'
import { limitVisits } from '../pages/limit-visits'
import { describeRequest, issuer, recordServerError, routes } from '../protocol/routes'
import { clockTolerance, ttl } from '../protocol/security-profile'
import { guardRegistration } from '../registration/guard-registration'
import { fetchResponseBodyLimits, outgoingFetch } from '../registration/metadata-documents'
import { claims, findAccount } from '../store/account'
import { storageFor } from '../store/adapter'
import { finishRequest } from '../store/commit-token-request'
import { limitBodySize } from '../store/limit-pending'
import { setTokenReader } from '../store/request-unit'
import { applyAnswerRules, explainRefusedGrants } from './answer-rules'
import { apiTokens } from './api-resources'
import { acceptAssertions, refuseUsedAssertions } from './assertions'
import {
  allowClientIdAlone,
  applyHashedSecrets,
  checkAssertion,
  clientAuthMethods,
} from './client-authentication'
import {
  clientBasedCORS,
  cookies,
  discovery,
  extraClientMetadata,
  features,
  ignoreExtraSpaces,
  issueRefreshToken,
  pkce,
  requireOpenid,
  rotateRefreshToken,
} from './configuration'
import { loadExistingGrant, policy } from './interaction-policy'
import {
  addMiddleware,
  applyCredentialFormat,
  at,
  cacheClientInstances,
  notifyAppsByJob,
  presentedToken,
  shareRequestScope,
} from './internals'
import { countRefusals, recordFailures, recordUsage } from './recording'
import { applyRedirectRules, ProviderWithOwnPages } from './redirect-uris'
import { adoptBrowserSession, matchOwnInteractions, oneFactor, recordSignIns, twoFactors } from './sessions'
import { endBrowserSession } from './sign-out'
import { acceptTokenExchange, findApiClient } from './token-exchange'

/**
 * Creates the configured oidc-provider. See ADR 0005.
 * @param keys the private keys for signing ID tokens and tokens for APIs. For each algorithm, only the first
 * key signs.
 */
export function createProvider(keys: PrivateJwk[]): Provider {
  const provider = new ProviderWithOwnPages(issuer(), {
    adapter: (model) => storageFor(model),
    jwks: { keys: keys.map((key) => new Signer(key)) },
    routes,
    features: features(),
    ttl: ttl(),
    clockTolerance,
    cookies: cookies(),
    scopes: allScopes,
    claims: { ...claims, amr: null },
    acrValues: [twoFactors, oneFactor],
    discovery: discovery(),
    findAccount,
    // Some clients read only the ID token, so it contains the user's claims.
    conformIdTokenClaims: false,
    loadExistingGrant,
    pkce,
    rotateRefreshToken,
    issueRefreshToken,
    clientBasedCORS,
    renderError,
    responseTypes: ['code'],
    subjectTypes: ['public'],
    // A user has the same `sub` in every app, so nothing depends on a sector. By default, oidc-provider would
    // fetch `sector_identifier_uri` whenever it loads a client.
    sectorIdentifierUriValidate: () => false,
    clientAuthMethods,
    assertJwtClientAuthClaimsAndHeader: checkAssertion,
    extraClientMetadata,
    enabledJWA: {
      idTokenSigningAlgValues: signingAlgs,
      userinfoSigningAlgValues: signingAlgs,
      dPoPSigningAlgValues: proofAlgs,
      clientAuthSigningAlgValues: clientSigningAlgs,
      requestObjectSigningAlgValues: clientSigningAlgs,
    },
    extraParams: { scope: requireOpenid },
    fetch: outgoingFetch,
    fetchResponseBodyLimits,
    interactions: { policy: policy(), url: (_ctx, { uid }) => `/interaction/${uid}` },
    // Tokens do not end with the browser session. They expire on their own or end with the authorization.
    expiresWithSession: async () => false,
    // At the token endpoint, a credential was reused, so the grant is revoked, too. At every endpoint,
    // `endIssued` decides what is deleted.
    revokeGrantPolicy: (ctx) => ctx.oidc.route === 'token',
    allowOmittingSingleRegisteredRedirectUri: false,
    acceptQueryParamAccessTokens: false,
    ...apiTokens,
  })
  provider.proxy = true
  applyCredentialFormat(provider)
  applyHashedSecrets(provider)
  cacheClientInstances(provider, findApiClient)
  applyRedirectRules(provider)
  allowClientIdAlone(provider)
  ignoreExtraSpaces(provider)
  refuseUsedAssertions(provider)
  acceptAssertions(provider)
  acceptTokenExchange(provider, keys)
  adoptBrowserSession(provider)
  matchOwnInteractions(provider)
  notifyAppsByJob(provider)
  setTokenReader(presentedToken)
  shareRequestScope()
  addMiddleware(provider, [
    watchEngine,
    applyAnswerRules,
    at(routes.registration, guardRegistration),
    at(routes.pushed_authorization_request, limitBodySize),
    at(routes.device_authorization, limitBodySize),
    at(routes.authorization, limitVisits(routes.authorization)),
    at(routes.end_session, limitVisits(routes.end_session)),
    at(routes.end_session, endBrowserSession),
    finishRequest,
    at(routes.authorization, recordSignIns),
  ])
  recordFailures(provider)
  explainRefusedGrants(provider)
  recordUsage(provider)
  countRefusals(provider)
  provider.on('server_error', recordServerError)
  return provider
}

const signOnThread = promisify(sign) as (
  hash: string,
  data: Uint8Array,
  key: KeyObject,
) => Promise<Uint8Array>

/**
 * A key that signs outside of oidc-provider, which accepts such an object in place of a JWK. With a JWK,
 * oidc-provider would compute every signature on a thread through WebCrypto. An elliptic-curve signature
 * takes less time to compute than to pass to a thread, so this class computes it synchronously. An RSA
 * signature takes about ten times as long, so it is computed on a thread.
 */
class Signer extends ExternalSigningKey {
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  readonly #isRsa: boolean

  constructor(jwk: PrivateJwk) {
    super()
    this.#privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
    this.#publicKey = createPublicKey(this.#privateKey)
    this.#isRsa = jwk.alg === 'RS256'
    // Use Object.assign, because the types of oidc-provider omit the base class's setters for `kid` and
    // `alg`.
    Object.assign(this, { kid: jwk.kid, alg: jwk.alg })
  }

  override keyObject(): KeyObject {
    return this.#publicKey
  }

  /** Returns the JWS signature of the data (RFC 7518 section 3; RFC 8037 section 3.1 for EdDSA). */
  override sign(data: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (this.#isRsa) return signOnThread('sha256', data, this.#privateKey)
    if (this.alg === 'EdDSA') return sign(null, data, this.#privateKey)
    return sign('sha256', data, { key: this.#privateKey, dsaEncoding: 'ieee-p1363' })
  }
}

/** Traces oidc-provider's work as a span of the request. */
const watchEngine = (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> =>
  recorder() === undefined
    ? next()
    : step({ name: 'oauth engine' }, async () => {
        await next()
        recorder()?.label(describeRequest(ctx))
      })
