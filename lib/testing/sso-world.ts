import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { config } from '@/lib/base/config/env'
import { seal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { assertionRefusals } from '@/lib/features/sso/assertion'
import { joinWorkspace, makeUser } from './factories'
import { requestToken, type TestApp } from './oauth-flow'
import { makeOwner } from './oauth-world'
import { startOutsideServer } from './tls-server'

/** The `grant_type` parameter of a request that redeems an assertion. */
export const jwtBearer = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }

type Signer = Awaited<ReturnType<typeof makeSigner>>

/** Creates an identity provider's key. @param kid the key's ID in the key set */
export async function makeSigner(alg = 'ES256', kid: string = randomUUID()) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg } }
}

/**
 * Starts a server that simulates identity providers on the public internet. Each provider has its own path.
 */
export async function startProviders() {
  const published = new Map<string, { keys: object[]; reads: number; metadata: object }>()
  const outside = await startOutsideServer((req, res) => {
    const [, name = '', rest] = /^\/([^/]+)\/(.+)$/.exec(req.url ?? '') ?? []
    const at = published.get(name)
    const answer =
      at && rest === '.well-known/openid-configuration'
        ? at.metadata
        : at && rest === 'keys'
          ? { keys: at.keys }
          : undefined
    if (at && rest === 'keys') at.reads++
    res.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    res.end(JSON.stringify(answer ?? {}))
  })
  return {
    close: outside.close,
    make: async () => {
      const name = randomUUID()
      const issuer = `${outside.origin}/${name}`
      const signer = await makeSigner()
      const at = {
        keys: [signer.jwk] as object[],
        reads: 0,
        metadata: {
          issuer,
          jwks_uri: `${issuer}/keys`,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
        },
      }
      published.set(name, at)
      return { issuer, signer, at }
    },
  }
}

type Provider = Awaited<ReturnType<Awaited<ReturnType<typeof startProviders>>['make']>>

/**
 * Creates a workspace with a configured and verified SSO connection, a member whose email address is in the
 * connection's domain, and an SSO-managed app.
 * @param vendor the owner of the app
 */
export async function makeSsoWorkspace(
  { issuer, signer }: Provider,
  vendor: Awaited<ReturnType<typeof makeOwner>>,
) {
  const owner = await makeOwner()
  const { id: workspaceId } = owner.workspace
  const domain = `${randomUUID()}.example.test`
  await prisma().workspaceIdentityProvider.create({
    data: {
      workspaceId,
      issuer,
      clientId: 'latchkey',
      sealedSecret: Uint8Array.from(seal('its secret', 'identity-provider')),
      domain,
      token: randomUUID(),
      verifiedAt: new Date(),
      checkedAt: new Date(),
    },
  })
  const user = await makeUser({ email: `grace@${domain}` })
  await joinWorkspace(owner.workspace, user, 'MEMBER')
  const app = await vendor.makeApp()
  const allow = (scopes: string[], clientId = app.clientId) =>
    prisma().managedApp.upsert({
      where: { workspaceId_clientId: { workspaceId, clientId } },
      create: { workspaceId, clientId, scopes },
      update: { scopes },
    })
  await allow(['workspace:member'])
  const subject = randomUUID()
  const sound = (): JWTPayload => {
    const now = Math.floor(Date.now() / 1000)
    return {
      iss: issuer,
      sub: subject,
      aud: `${config().BASE_URL}/oauth`,
      client_id: app.clientId,
      jti: randomUUID(),
      iat: now,
      exp: now + 300,
      email: user.email,
      resource: `${config().BASE_URL}/mcp`,
      scope: 'workspace:member',
    }
  }
  /**
   * Returns a signed assertion.
   * @param changes changes to the claims; undefined removes a claim
   * @param header changes to the protected header
   */
  const assertion = (changes: object = {}, header: object = {}, by: Signer = signer) =>
    new SignJWT(JSON.parse(JSON.stringify({ ...sound(), ...changes })))
      .setProtectedHeader({ alg: by.alg, kid: by.jwk.kid, typ: 'oauth-id-jag+jwt', ...header })
      .sign(by.privateKey)
  const redeem = (sent: string, fields: Record<string, string> = {}, by: TestApp = app) =>
    requestToken(by, { ...jwtBearer, assertion: sent, ...fields })
  return { owner, workspaceId, domain, user, app, allow, subject, sound, assertion, redeem }
}

/** Returns the response that is expected if an assertion is rejected for the given reason. */
export const refusedFor = (reason: keyof typeof assertionRefusals) => ({
  status: 400,
  body: { error: 'invalid_grant', error_description: assertionRefusals[reason] },
})
