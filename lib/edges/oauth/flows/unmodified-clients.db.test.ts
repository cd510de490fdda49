import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import * as oauth from 'oauth4webapi'
import { afterAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { joinWorkspace, makeUser } from '@/lib/testing/factories'
import { authorize, challengeOf, newVerifier } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, makeOwner } from '@/lib/testing/oauth-world'
import { startToyProvider } from '@/lib/testing/toy-provider'

await startOAuthServer()

describe('an unmodified client', async () => {
  /**
   * Libraries that are configured with only the ID and secret of the app: those that expect RS256 by default,
   * and those that read the user only from the ID token.
   */
  const { owner, web } = await makeOAuthWorld()
  const issuer = new URL('/oauth', config().BASE_URL)
  const { email, name } = owner.user

  /** openid-client 5, which next-auth 4 and express-openid-connect use. Its types conflict with version 6. */
  type Answer = Record<string, string>
  type Client = {
    callback: (uri: string, answer: Answer, checks: Answer) => Promise<{ claims: () => Answer }>
    userinfo: (tokens: object) => Promise<Answer>
  }
  type Issuer = { Client: new (metadata: Answer) => Client }
  type Library = {
    Issuer: { discover: (url: string) => Promise<Issuer> }
    custom: { setHttpOptionsDefaults: (options: { timeout: number }) => void }
  }
  const requireOfNextAuth = createRequire(createRequire(import.meta.url).resolve('next-auth'))
  const { Issuer, custom } = requireOfNextAuth('openid-client') as Library
  // By default, openid-client 5 times out after 3.5 seconds, which can be too short on a busy machine.
  custom.setHttpOptionsDefaults({ timeout: 60_000 })

  async function comesBack() {
    const verifier = newVerifier()
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const asked = { ...pkce, scope: 'openid email profile', nonce: 'n-1' }
    return { verifier, answer: await authorize(owner.browser, web, asked) }
  }

  it('accepts the ID token without a configured algorithm (openid-client 5)', async () => {
    const { Client } = await Issuer.discover(issuer.href)
    const client = new Client({ client_id: web.clientId, client_secret: web.secret as string })
    const { verifier, answer } = await comesBack()
    const checks = { state: 'the-state', nonce: 'n-1', code_verifier: verifier }
    const tokens = await client.callback(web.redirectUri, Object.fromEntries(answer), checks)
    expect(tokens.claims()).toMatchObject({ sub: owner.user.id, email, email_verified: true, name })
    expect(await client.userinfo(tokens)).toMatchObject({ sub: owner.user.id, email, name })
  })

  it('reads the signed-in user from the ID token (Auth.js 5)', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true }
    const metadata = await oauth.discoveryRequest(issuer, insecure)
    const as = await oauth.processDiscoveryResponse(issuer, metadata)
    const client = { client_id: web.clientId }
    const { verifier, answer } = await comesBack()
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.ClientSecretBasic(web.secret as string),
      oauth.validateAuthResponse(as, client, answer, 'the-state'),
      web.redirectUri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: 'n-1',
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(as, response, insecure)
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: owner.user.id, email, name })
  })
})

describe('an SSO-managed agent', async () => {
  /**
   * Tests the unmodified official clients with an assertion of an SSO connection, from the URL of /mcp to the
   * response of a tool.
   */
  const { owner: vendor } = await makeOAuthWorld()
  const owner = await makeOwner()
  const app = await vendor.makeApp()
  const domain = 'sso.example.test'
  const user = await makeUser({ email: `grace@${domain}` })
  await joinWorkspace(owner.workspace, user, 'MEMBER')
  const identityProvider = await startToyProvider(() => ({
    clientIdThere: app.clientId,
    email: user.email,
  }))
  afterAll(() => identityProvider.close())
  const { id: workspaceId } = owner.workspace
  await prisma().workspaceIdentityProvider.create({
    data: {
      workspaceId,
      issuer: identityProvider.issuer,
      clientId: 'latchkey',
      domain,
      token: 't',
      verifiedAt: new Date(),
      checkedAt: new Date(),
    },
  })
  await prisma().managedApp.create({
    data: { workspaceId, clientId: app.clientId, scopes: ['workspace:member'] },
  })

  const issuer = () => `${config().BASE_URL}/oauth`
  const exchange = async (audience: string, resource: string, scope?: string) =>
    (
      await discoverAndRequestJwtAuthGrant({
        idpUrl: identityProvider.issuer,
        audience,
        resource,
        idToken: await identityProvider.idToken(),
        clientId: identityProvider.agent.id,
        clientSecret: identityProvider.agent.secret,
        ...(scope ? { scope } : {}),
        fetchFn: identityProvider.fetch,
      })
    ).jwtAuthGrant

  it('connects with the official TypeScript SDK without a browser, and gets the scopes that its tools require', async () => {
    const authProvider = new CrossAppAccessProvider({
      assertion: ({ authorizationServerUrl, resourceUrl, scope }) =>
        exchange(authorizationServerUrl, resourceUrl, scope),
      clientId: app.clientId,
      clientSecret: String(app.secret),
      expectedIssuer: issuer(),
    })
    const client = new Client({ name: 'agent', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${config().BASE_URL}/mcp`), { authProvider }),
    )
    const { structuredContent } = await client.callTool({ name: 'list_workspaces', arguments: {} })
    expect(JSON.stringify(structuredContent)).toContain(owner.workspace.name)
    await client.callTool({
      name: 'create_project',
      arguments: { workspaceId, name: 'Created through SSO' },
    })
    await client.close()
    const where = { workspaceId, name: 'Created through SSO' }
    expect(await prisma().project.count({ where })).toBe(1)
  })

  it('finds the supported profile in the RFC 8414 metadata, but not in the OpenID configuration', async () => {
    const read = async (path: string) => (await fetch(new URL(path, config().BASE_URL))).json()
    expect(await read('/.well-known/oauth-authorization-server/oauth')).toMatchObject({
      issuer: issuer(),
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      grant_types_supported: expect.arrayContaining(['urn:ietf:params:oauth:grant-type:jwt-bearer']),
    })
    const contract = await read('/oauth/.well-known/openid-configuration')
    expect(contract.grant_types_supported).not.toContain('urn:ietf:params:oauth:grant-type:jwt-bearer')
  })

  it.skipIf(!process.env.AGENT_PYTHON)('connects with the official Python SDK', async () => {
    const assertion = await exchange(issuer(), `${config().BASE_URL}/mcp`)
    const program = new URL('../../../../e2e/agents/python_assertion.py', import.meta.url).pathname
    const args = [program, `${config().BASE_URL}/mcp`, issuer(), app.clientId, String(app.secret), assertion]
    const { stdout } = await promisify(execFile)(String(process.env.AGENT_PYTHON), args)
    expect(stdout).toContain(owner.workspace.name)
  })
})
