import type { Provider } from 'oidc-provider'
import { clientSigningAlgs } from '@/lib/oauth-apps/public-keys'
import { allScopes } from '@/lib/policy/scopes'
import type { PrivateJwk } from '@/lib/signing-keys/generate-key'
import { signingAlgs } from '@/lib/signing-keys/generate-key'
import { applyAnswerRules } from './answer-rules'
import { claims, findAccount } from './config/account'
import { assertAssertion, clientAuthMethods } from './config/client-keys'
import { extraClientMetadata } from './config/client-metadata'
import { cookies } from './config/cookies'
import { clientBasedCORS } from './config/cross-origin'
import { discovery } from './config/discovery'
import { features } from './config/features'
import { policy } from './config/interaction-policy'
import { ttl } from './config/lifetimes'
import { loadExistingGrant } from './config/load-grant'
import { pkce } from './config/pkce'
import { issueRefreshToken, rotateRefreshToken } from './config/refresh'
import { requireOpenid } from './config/required-scope'
import { issuer, routes } from './config/routes'
import { oneFactor, twoFactors } from './config/sign-in-strength'
import { proofAlgs } from './dpop'
import { endBrowserSession } from './end-browser-session'
import { explainRefusedGrants } from './explain-refused-grant'
import { finishRequest } from './finish-request'
import { fetchResponseBodyLimits, outgoingFetch } from './metadata-documents'
import { allowClientIdAlone } from './models/client-id-alone'
import { keepClientInstances } from './models/client-instances'
import { applyHashedSecrets } from './models/client-secrets'
import { forgetStaleKeys } from './models/key-sets'
import { applyRedirectRules } from './models/redirect-uris'
import { readOverStraySpaces } from './models/scope-parameter'
import { adoptBrowserSession } from './models/session-source'
import { refuseUsedAssertions } from './models/single-use'
import { applyCredentialFormat } from './models/token-values'
import { recordFailures } from './record-failures'
import { recordSignIns, tellAppsByJob } from './record-sign-ins'
import { recordUsage } from './record-usage'
import { guardRegistration } from './registration/guard-registration'
import { renderError } from './render-error'
import { ProviderWithOwnPages } from './response-modes'
import { Signer } from './signer'
import { storageFor } from './store/adapter'

/**
 * The OAuth engine, configured. Each name is one file that says which rule it holds.
 * @param keys the private keys that sign id_tokens; the first of each algorithm signs
 */
export function createProvider(keys: PrivateJwk[]): Provider {
  const provider = new ProviderWithOwnPages(issuer(), {
    adapter: (model) => storageFor(model),
    jwks: { keys: keys.map((key) => new Signer(key)) },
    routes,
    features: features(),
    ttl: ttl(),
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
  adoptBrowserSession(provider)
  tellAppsByJob(provider)
  provider.use(applyAnswerRules as never)
  provider.use(guardRegistration as never)
  provider.use(endBrowserSession as never)
  provider.use(finishRequest as never)
  provider.use(recordSignIns as never)
  recordFailures(provider)
  explainRefusedGrants(provider)
  recordUsage(provider)
  provider.on('server_error', (_ctx, error) => console.error(error))
  return provider
}
