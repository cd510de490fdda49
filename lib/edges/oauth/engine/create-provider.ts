import type { Provider } from 'oidc-provider'
import { clientSigningAlgs } from '@/lib/features/apps/public-keys'
import { type PrivateJwk, signingAlgs } from '@/lib/features/keys/signing-keys'
import { proofAlgs } from '@/lib/policy/proof-of-possession'
import { allScopes } from '@/lib/policy/scopes'
import { renderError } from '../pages/engine-pages'
import { limitVisits } from '../pages/limit-visits'
import { clockTolerance, ttl } from '../protocol/lifetimes'
import { noteDefect } from '../protocol/requests'
import { issuer, routes } from '../protocol/routes'
import { oneFactor, twoFactors } from '../protocol/sessions'
import { guardRegistration } from '../registration/guard-registration'
import { fetchResponseBodyLimits, outgoingFetch } from '../registration/metadata-documents'
import { claims, findAccount } from '../store/account'
import { storageFor } from '../store/adapter'
import { finishRequest } from '../store/finish-request'
import { boundPending } from '../store/limit-pending'
import { readTokensBy } from '../store/request-unit'
import { applyAnswerRules, explainRefusedGrants } from './answer-rules'
import { acceptAssertions, refuseUsedAssertions } from './assertions'
import {
  allowClientIdAlone,
  applyHashedSecrets,
  assertAssertion,
  clientAuthMethods,
  forgetStaleKeys,
} from './client-authentication'
import {
  clientBasedCORS,
  cookies,
  discovery,
  extraClientMetadata,
  features,
  issueRefreshToken,
  pkce,
  rotateRefreshToken,
} from './configuration'
import { loadExistingGrant, policy } from './interaction-policy'
import { at, keepClientInstances, standAround } from './internals'
import { countRefusals, recordFailures, recordUsage, watchEngine } from './recording'
import { applyRedirectRules, ProviderWithOwnPages } from './redirect-uris'
import { readOverStraySpaces, requireOpenid } from './scopes'
import { adoptBrowserSession, knowOwnInteractions, recordSignIns } from './sessions'
import { endBrowserSession } from './sign-out'
import { Signer } from './signer'
import { applyCredentialFormat, presentedToken, tellAppsByJob } from './tokens'

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
