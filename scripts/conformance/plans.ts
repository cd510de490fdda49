import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { TestedProduct } from './product'
import type { Suite } from './suite'

/** A plan of the suite with its setup. */
export type Plan = {
  /** Short name for `--plans`. */
  name: string
  title: string
  plan: string
  variant: Record<string, string>
  /**
   * Registers the plan's clients, and returns them and other parts of the plan's configuration. Undefined if
   * the plan needs no clients, or if the suite registers them.
   */
  prepare?: (suite: Suite, product: TestedProduct) => Promise<object>
}

const dynamic = { server_metadata: 'discovery', client_registration: 'dynamic_client' }
const code = { response_type: 'code', client_registration: 'dynamic_client' }

/** The plans that `npm run test:conformance` can run. */
export const plans: Plan[] = [
  { name: 'config', title: 'Config OP', plan: 'oidcc-config-certification-test-plan', variant: {} },
  { name: 'basic', title: 'Basic OP', plan: 'oidcc-basic-certification-test-plan', variant: dynamic },
  {
    name: 'form-post',
    title: 'Form Post OP',
    plan: 'oidcc-formpost-basic-certification-test-plan',
    variant: dynamic,
  },
  {
    name: 'logout',
    title: 'RP-Initiated Logout OP',
    plan: 'oidcc-rp-initiated-logout-certification-test-plan',
    variant: code,
  },
  {
    name: 'backchannel',
    title: 'Back-Channel Logout OP',
    plan: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: code,
  },
  {
    name: 'dynamic',
    title: 'Dynamic OP (`code`)',
    plan: 'oidcc-dynamic-certification-test-plan',
    variant: { response_type: 'code' },
  },
  {
    name: 'fapi',
    title: 'FAPI 2.0 Security Profile Final (`private_key_jwt`, DPoP)',
    plan: 'fapi2-security-profile-final-test-plan',
    variant: {
      openid: 'openid_connect',
      client_auth_type: 'private_key_jwt',
      sender_constrain: 'dpop',
      fapi_profile: 'plain_fapi',
    },
    prepare: prepareFapi,
  },
]

/** Registers the clients that a plan needs in advance, and returns the plan's configuration for the suite. */
export async function configure(plan: Plan, suite: Suite, product: TestedProduct): Promise<object> {
  return {
    description: `Latchkey: ${plan.title}`,
    server: { discoveryUrl: `${product.url}/oauth/.well-known/openid-configuration` },
    client: { client_name: 'Conformance client' },
    client2: { client_name: 'Second conformance client' },
    ...(await plan.prepare?.(suite, product)),
  }
}

/**
 * Registers two high-security clients, and returns their configuration. The suite requires the query in the
 * redirect URI of the second client.
 */
async function prepareFapi(suite: Suite, product: TestedProduct): Promise<object> {
  const alias = `latchkey-${Date.now().toString(36)}`
  const callback = `${suite.base}/test/a/${alias}/callback`
  const [client, client2] = await Promise.all(
    [callback, `${callback}?dummy1=lorem&dummy2=ipsum`].map((uri) => registerHighSecurity(product, uri)),
  )
  return { alias, client, client2, resource: { resourceUrl: `${product.url}/oauth/me` } }
}

async function registerHighSecurity(product: TestedProduct, redirectUri: string): Promise<object> {
  const key = await generateKeyPair('ES256', { extractable: true })
  const about = { kid: 'conformance', use: 'sig', alg: 'ES256' }
  const publicKey: JWK = { ...(await exportJWK(key.publicKey)), ...about }
  const privateKey: JWK = { ...(await exportJWK(key.privateKey)), ...about }
  const clientId = await product.registerClient({
    client_name: 'FAPI client',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks: { keys: [publicKey] },
    high_security: true,
  })
  return {
    client_id: clientId,
    scope: 'openid email profile offline_access',
    jwks: { keys: [privateKey] },
    dpop_signing_alg: 'ES256',
  }
}
