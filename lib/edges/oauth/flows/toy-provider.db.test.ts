import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { afterAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { joinWorkspace, makePerson } from '@/lib/testing/factories'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { startToyProvider } from '@/lib/testing/toy-provider'

/** The official clients, unmodified, with the word of a company's provider: from the address of /mcp to a tool's answer. */
const { owner: vendor } = await startOAuthWorld()
const owner = await makeOwner()
const app = await vendor.makeApp()
const domain = 'company.example.test'
const person = await makePerson({ email: `grace@${domain}` })
await joinWorkspace(owner.workspace, person, 'MEMBER')
const company = await startToyProvider(() => ({ clientIdThere: app.clientId, email: person.email }))
afterAll(() => company.close())
const { id: workspaceId } = owner.workspace
await prisma().workspaceIdentityProvider.create({
  data: {
    workspaceId,
    issuer: company.issuer,
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
      idpUrl: company.issuer,
      audience,
      resource,
      idToken: await company.idToken(),
      clientId: company.agent.id,
      clientSecret: company.agent.secret,
      ...(scope ? { scope } : {}),
      fetchFn: company.fetch,
    })
  ).jwtAuthGrant

describe('an agent that the company’s provider sends', () => {
  it('comes in with the official TypeScript SDK, without anybody’s browser, and steps up by itself', async () => {
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
      arguments: { workspaceId, name: 'By the company’s word' },
    })
    await client.close()
    const where = { workspaceId, name: 'By the company’s word' }
    expect(await prisma().project.count({ where })).toBe(1)
  })

  it('says in its metadata that it may try', async () => {
    const read = async (path: string) => (await fetch(new URL(path, config().BASE_URL))).json()
    expect(await read('/.well-known/oauth-authorization-server/oauth')).toMatchObject({
      issuer: issuer(),
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      grant_types_supported: expect.arrayContaining(['urn:ietf:params:oauth:grant-type:jwt-bearer']),
    })
    const contract = await read('/oauth/.well-known/openid-configuration')
    expect(contract.grant_types_supported).not.toContain('urn:ietf:params:oauth:grant-type:jwt-bearer')
  })

  it.skipIf(!process.env.AGENT_PYTHON)('comes in with the official Python SDK', async () => {
    const assertion = await exchange(issuer(), `${config().BASE_URL}/mcp`)
    const program = new URL('../../../../e2e/agents/python_assertion.py', import.meta.url).pathname
    const args = [program, `${config().BASE_URL}/mcp`, issuer(), app.clientId, String(app.secret), assertion]
    const { stdout } = await promisify(execFile)(String(process.env.AGENT_PYTHON), args)
    expect(stdout).toContain(owner.workspace.name)
  })
})
