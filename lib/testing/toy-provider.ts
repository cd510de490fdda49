import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import Provider, { errors } from 'oidc-provider'
import { Agent, fetch as undiciFetch } from 'undici'
import { startOutsideServer } from './tls-server'

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const idJag = 'urn:ietf:params:oauth:token-type:id-jag'

/**
 * The values that a test chooses for the provider's assertions: the agent's client ID at the requested
 * server, and the user's email address.
 */
type Policy = { clientIdThere: string; email: string }

/**
 * Starts an identity provider for a workspace. It is an instance of oidc-provider that issues Identity
 * Assertion JWT Authorization Grants by token exchange (RFC 8693,
 * draft-ietf-oauth-identity-assertion-authz-grant section 4.3).
 * @param policy returns the current policy
 */
export async function startToyProvider(policy: () => Policy) {
  let handle: ReturnType<Provider['callback']> | undefined
  const outside = await startOutsideServer((req, res) => handle?.(req, res))
  const issuer = outside.origin
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const named = { kid: randomUUID(), alg: 'ES256', use: 'sig' }
  const agent = { id: 'agent-at-the-provider', secret: randomUUID() }
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), ...named }] },
    features: { devInteractions: { enabled: false } },
    clients: [
      {
        client_id: agent.id,
        client_secret: agent.secret,
        grant_types: [tokenExchange],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
      },
    ],
  } as ConstructorParameters<typeof Provider>[1])
  provider.proxy = true
  const sign = (claims: object, typ: string) =>
    new SignJWT({ ...claims, iss: issuer })
      .setProtectedHeader({ alg: named.alg, kid: named.kid, typ })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), ...named }] })
  const params = [
    'requested_token_type',
    'audience',
    'resource',
    'scope',
    'subject_token',
    'subject_token_type',
  ]
  provider.registerGrantType(
    tokenExchange,
    async (ctx) => {
      const asked = ctx.oidc.params as Record<string, string | undefined>
      if (asked.requested_token_type !== idJag)
        throw new errors.InvalidRequest('only ID-JAGs can be requested')
      const { payload } = await jwtVerify(String(asked.subject_token), keys, { issuer, audience: agent.id })
      const { clientIdThere, email } = policy()
      ctx.body = {
        issued_token_type: idJag,
        token_type: 'N_A',
        expires_in: 300,
        access_token: await sign(
          {
            sub: payload.sub,
            email,
            aud: asked.audience,
            client_id: clientIdThere,
            jti: randomUUID(),
            ...(asked.resource ? { resource: asked.resource } : {}),
            ...(asked.scope ? { scope: asked.scope } : {}),
          },
          'oauth-id-jag+jwt',
        ),
      }
    },
    params,
  )
  handle = provider.callback()
  const trusting = new Agent({ connect: { ca: outside.ca } })
  return {
    issuer,
    agent,
    close: outside.close,
    /** Returns a new ID token like the one that the agent receives when its user signs in to the provider. */
    idToken: () => sign({ sub: 'grace-at-the-provider', aud: agent.id }, 'JWT'),
    /** A `fetch` function that trusts the provider's certificate. */
    fetch: ((url: string | URL, init: RequestInit = {}) =>
      undiciFetch(url, { ...(init as object), dispatcher: trusting })) as unknown as typeof fetch,
  }
}
