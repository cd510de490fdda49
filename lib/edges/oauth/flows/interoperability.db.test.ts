import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { fetch as fetchExample } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { registerApi } from '@/lib/features/resources/change-apis'
import { makeApi, makeApiAdmin } from '@/lib/testing/api-world'
import { joinWorkspace, makeProject, makeUser } from '@/lib/testing/factories'
import { testPort } from '@/lib/testing/free-port'
import { sessionOf } from '@/lib/testing/installation-world'
import { userAtDevicePages } from '@/lib/testing/oauth-device'
import { authorize, newPkce, signInToApp } from '@/lib/testing/oauth-flow'
import { makeOwner, native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { cleanEnvironment } from '@/lib/testing/test-environment'
import { startToyProvider } from '@/lib/testing/toy-provider'

/** Programs that use none of Latchkey's code: clients, agents, and APIs. */
const { owner, web, cli } = await startOAuthWorld()

describe('an unmodified client', () => {
  /**
   * Libraries that are configured with only the ID and secret of the app: those that expect RS256 by default,
   * and those that read the user only from the ID token.
   */
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
    const { verifier, pkce } = newPkce()
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
  const app = await owner.makeApp()
  const customer = await makeOwner()
  const domain = 'sso.example.test'
  const user = await makeUser({ email: `grace@${domain}` })
  await joinWorkspace(customer.workspace, user, 'MEMBER')
  const identityProvider = await startToyProvider(() => ({
    clientIdThere: app.clientId,
    email: user.email,
  }))
  afterAll(() => identityProvider.close())
  const { id: workspaceId } = customer.workspace
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
    expect(JSON.stringify(structuredContent)).toContain(customer.workspace.name)
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
    expect(stdout).toContain(customer.workspace.name)
  })
})

describe('an API', async () => {
  const issuer = () => `${config().BASE_URL}/oauth`

  let registered: Awaited<ReturnType<typeof registerApi>>
  beforeAll(async () => {
    registered = await registerApi(await makeApiAdmin(), {
      identifier: 'https://deployments.example.com',
      name: 'Deployments',
      scopes: [
        {
          name: 'deployments:write',
          description: 'Deploy the projects you choose',
          sensitivity: 'ELEVATED',
          selects: 'PROJECTS',
        },
      ],
    })
  })

  type Detail = { type: string; identifier: string; role: string }

  /**
   * An external service that uses none of Latchkey's code. It introspects each token and deploys only for
   * members.
   */
  const service = createServer(async (req, res) => {
    const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1]
    const refuse = (status: number, error: string) =>
      res.writeHead(status, { 'www-authenticate': `Bearer error="${error}"` }).end()
    const answer = await fetch(`${issuer()}/token/introspection`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${registered.api.id}:${registered.secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token: token ?? '-' }),
    })
    const seen = (await answer.json()) as {
      active: boolean
      scope?: string
      authorization_details?: Detail[]
    }
    if (!seen.active) return refuse(401, 'invalid_token')
    const project = (req.url ?? '').slice('/deploy/'.length)
    const detail = seen.authorization_details?.find(({ identifier }) => identifier === project)
    const maySend = seen.scope?.split(' ').includes('deployments:write') && detail && detail.role !== 'viewer'
    return maySend ? res.writeHead(201).end() : refuse(403, 'insufficient_scope')
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  afterAll(() => service.close())

  async function deploy(token: string, projectId: string): Promise<[number, string | null]> {
    const { port } = service.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/deploy/${projectId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    return [answer.status, answer.headers.get('www-authenticate')]
  }

  const setRole = (role: 'ADMIN' | 'VIEWER') =>
    prisma().workspaceMember.updateMany({ where: { workspaceId: owner.workspace.id }, data: { role } })

  it('an external service lets a CLI deploy to the selected project until the user becomes a viewer or revokes the CLI’s access', async () => {
    const other = await makeProject(owner.workspace)
    const server = await client.discovery(new URL(issuer()), cli.clientId, undefined, client.None(), {
      execute: [client.allowInsecureRequests],
    })
    expect(server.serverMetadata().scopes_supported).toContain('deployments:write')
    expect(server.serverMetadata().protected_resources).toContain(registered.api.identifier)

    const device = await client.initiateDeviceAuthorization(server, {
      scope: 'openid offline_access deployments:write',
      resource: registered.api.identifier,
    })
    const pages = await userAtDevicePages(owner.user.id)
    await pages.decide(device.user_code, 'authorize', [['project', owner.project.id]])
    const tokens = await client.pollDeviceAuthorizationGrant(server, device)

    const refused = [403, 'Bearer error="insufficient_scope"']
    const unknown = [401, 'Bearer error="invalid_token"']
    expect(await deploy(tokens.access_token, owner.project.id)).toEqual([201, null])
    expect(await deploy(tokens.access_token, other.id)).toEqual(refused)
    expect(await deploy('made-up', owner.project.id)).toEqual(unknown)

    await setRole('VIEWER')
    expect(await deploy(tokens.access_token, owner.project.id)).toEqual(refused)
    await setRole('ADMIN')
    expect(await deploy(tokens.access_token, owner.project.id)).toEqual([201, null])

    const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: cli.clientId } })
    await revokeAuthorization(sessionOf(owner), id)
    expect(await deploy(tokens.access_token, owner.project.id)).toEqual(unknown)
    await expect(client.refreshTokenGrant(server, String(tokens.refresh_token))).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})

/**
 * Runs the programs of examples/api-* as separate services. TEST_EXAMPLES=all also builds the Go program,
 * which takes a long time.
 */
describe('an example of an API', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-api-'))
  const running: ChildProcess[] = []
  afterAll(() => {
    for (const child of running) child.kill()
    rmSync(folder, { recursive: true })
  })

  const python = process.env.TEST_PYTHON ?? 'python3'
  const runs = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'ignore' }).status === 0

  const examples = [
    { name: 'node', exists: true, start: () => [process.execPath, 'examples/api-node/main.mjs'] },
    {
      name: 'python',
      exists: runs(python, '-c', 'import authlib, flask, requests'),
      start: () => [python, 'examples/api-python/main.py'],
    },
    {
      name: 'go',
      exists: process.env.TEST_EXAMPLES === 'all' && runs('go', 'version'),
      start: () => {
        const program = path.join(folder, 'api-go')
        const { status, stderr } = spawnSync('go', ['build', '-o', program, '.'], { cwd: 'examples/api-go' })
        if (status !== 0) throw new Error(String(stderr))
        return [program]
      },
    },
  ]

  /** Starts an example. @returns its URL when it is ready */
  async function serve(command: string[], env: Record<string, string>): Promise<string> {
    const port = String(await testPort())
    const [program = '', ...args] = command
    const child = spawn(program, args, { env: { ...cleanEnvironment(), ...env, PORT: port } })
    running.push(child)
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk
        if (output.includes('Deployment API: ')) resolve()
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => reject(new Error(`exit code ${code}: ${output}`)))
    })
    const url = `http://127.0.0.1:${port}`
    await expect
      .poll(() =>
        fetchExample(`${url}/.well-known/oauth-protected-resource`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true)
    return url
  }

  for (const { name, exists, start } of examples) {
    describe.runIf(exists)(`examples/api-${name}`, () => {
      it.each(['OPAQUE', 'JWT'] as const)(
        'accepts only valid tokens for its API, and only for the selected projects (token format: %s)',
        async (tokenFormat) => {
          const scopes = [
            { name: 'deployments:write', selects: 'PROJECTS' as const },
            { name: 'deployments:read' },
          ]
          await prisma().api.deleteMany()
          const api = await makeApi({ tokenFormat, scopes })
          const issuer = `${config().BASE_URL}/oauth`
          const url = await serve(start(), {
            ISSUER: issuer,
            IDENTIFIER: api.identifier,
            API_ID: api.id,
            API_SECRET: api.secret,
          })
          const document = await fetchExample(`${url}/.well-known/oauth-protected-resource`).then((answer) =>
            answer.json(),
          )
          expect(document).toMatchObject({ resource: api.identifier, authorization_servers: [issuer] })

          const app = await owner.makeApp(native)
          const tokenFor = async (scope: string) => {
            const more = { resource: api.identifier, scope: `openid ${scope}`, prompt: 'consent' }
            const { body } = await signInToApp(owner.browser, app, more, { projects: [owner.project.id] })
            return String(body.access_token)
          }
          const deploy = async (projectId: string, token?: string): Promise<[number, string | null]> => {
            const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
            const answer = await fetchExample(`${url}/projects/${projectId}/deployments`, {
              method: 'POST',
              headers,
            })
            return [answer.status, answer.headers.get('www-authenticate')]
          }
          const metadata = `resource_metadata="${api.identifier}/.well-known/oauth-protected-resource"`
          const token = await tokenFor('deployments:write')
          expect(token.split('.')).toHaveLength(tokenFormat === 'JWT' ? 3 : 1)
          expect(await deploy(owner.project.id, token)).toEqual([201, null])
          const refused = [403, `Bearer error="insufficient_scope", ${metadata}`]
          expect(await deploy((await makeProject(owner.workspace)).id, token)).toEqual(refused)
          expect(await deploy(owner.project.id)).toEqual([401, `Bearer ${metadata}`])
          const unknown = [401, `Bearer error="invalid_token", ${metadata}`]
          expect(await deploy(owner.project.id, 'made-up')).toEqual(unknown)
          expect(await deploy(owner.project.id, `${token.slice(0, -4)}AAAA`)).toEqual(unknown)

          const other = await owner.makeApp(native)
          const { body } = await signInToApp(owner.browser, other, {}, { projects: [owner.project.id] })
          expect(await deploy(owner.project.id, String(body.access_token))).toEqual(unknown)
          expect(await deploy(owner.project.id, String(body.id_token))).toEqual(unknown)

          const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
          await revokeAuthorization(sessionOf(owner), id)
          if (tokenFormat === 'OPAQUE') expect(await deploy(owner.project.id, token)).toEqual(unknown)
        },
      )
    })
  }
})
