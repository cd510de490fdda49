import type { Provider } from 'oidc-provider'
import { clientSigningAlgs } from '@/lib/features/apps/public-keys'
import type { PrivateJwk } from '@/lib/features/signing-keys/generate-key'
import { signingAlgs } from '@/lib/features/signing-keys/generate-key'
import { proofAlgs } from '@/lib/policy/proof-of-possession'
import { allScopes } from '@/lib/policy/scopes'
import { acceptAssertions } from '../assertions/redeem-assertion'
import { assertAssertion, clientAuthMethods } from '../config/client-keys'
import { extraClientMetadata } from '../config/client-metadata'
import { cookies } from '../config/cookies'
import { clientBasedCORS } from '../config/cross-origin'
import { discovery } from '../config/discovery'
import { features } from '../config/features'
import { policy } from '../config/interaction-policy'
import { loadExistingGrant } from '../config/load-grant'
import { pkce } from '../config/pkce'
import { issueRefreshToken, rotateRefreshToken } from '../config/refresh'
import { requireOpenid } from '../config/required-scope'
import { allowClientIdAlone } from '../overrides/client-id-alone'
import { keepClientInstances } from '../overrides/client-instances'
import { applyHashedSecrets } from '../overrides/client-secrets'
import { forgetStaleKeys } from '../overrides/key-sets'
import { tellAppsByJob } from '../overrides/logout-token'
import { presentedToken } from '../overrides/presented-token'
import { at, standAround } from '../overrides/provider-of'
import { applyRedirectRules } from '../overrides/redirect-uris'
import { ProviderWithOwnPages } from '../overrides/response-modes'
import { readOverStraySpaces } from '../overrides/scope-parameter'
import { adoptBrowserSession, knowOwnInteractions } from '../overrides/session-source'
import { refuseUsedAssertions } from '../overrides/single-use'
import { applyCredentialFormat } from '../overrides/token-values'
import { limitVisits } from '../pages/limit-visits'
import { renderError } from '../pages/render-error'
import { clockTolerance } from '../protocol/clock-tolerance'
import { ttl } from '../protocol/lifetimes'
import { issuer, routes } from '../protocol/routes'
import { oneFactor, twoFactors } from '../protocol/sign-in-strength'
import { noteDefect } from '../protocol/tell-outage'
import { recordFailures } from '../recording/record-failures'
import { recordSignIns } from '../recording/record-sign-ins'
import { recordUsage } from '../recording/record-usage'
import { countRefusals, watchEngine } from '../recording/watch-engine'
import { guardRegistration } from '../registration/guard-registration'
import { fetchResponseBodyLimits, outgoingFetch } from '../registration/metadata-documents'
import { endBrowserSession } from '../sign-out/end-browser-session'
import { claims, findAccount } from '../store/account'
import { storageFor } from '../store/adapter'
import { finishRequest } from '../store/finish-request'
import { boundPending } from '../store/limit-pending'
import { readTokensBy } from '../store/request-unit'
import { applyAnswerRules } from './answer-rules'
import { explainRefusedGrants } from './explain-refused-grant'
import { Signer } from './signer'

/**
 * The OAuth engine, configured. Each name is one file that says which rule it holds.
 * See decision 089.
 * @param keys the private keys that sign id_tokens; the first of each algorithm signs
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
    // Clients that read nothing but the id_token find in it who has signed in.
    conformIdTokenClaims: false,
    loadExistingGrant,
    pkce,
    rotateRefreshToken,
    issueRefreshToken,
    clientBasedCORS,
    renderError,
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods,
    assertJwtClientAuthClaimsAndHeader: assertAssertion,
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
    // Tokens end with their own lifetime or with the authorization, never with a browser session.
    expiresWithSession: async () => false,
    // What a revoked or reused credential takes with it is decided in store/end-issued.
    revokeGrantPolicy: (ctx) => ctx.oidc.route === 'token',
    allowOmittingSingleRegisteredRedirectUri: false,
    acceptQueryParamAccessTokens: false,
  })
  provider.proxy = true
  applyCredentialFormat(provider)
  applyHashedSecrets(provider)
  keepClientInstances(provider)
  forgetStaleKeys(provider)
  applyRedirectRules(provider)
  allowClientIdAlone(provider)
  readOverStraySpaces(provider)
  refuseUsedAssertions(provider)
  acceptAssertions(provider)
  adoptBrowserSession(provider)
  knowOwnInteractions(provider)
  tellAppsByJob(provider)
  readTokensBy(presentedToken)
  standAround(provider, [
    watchEngine,
    applyAnswerRules,
    at(routes.registration, guardRegistration),
    at(routes.pushed_authorization_request, boundPending),
    at(routes.device_authorization, boundPending),
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
  provider.on('server_error', noteDefect)
  return provider
}
