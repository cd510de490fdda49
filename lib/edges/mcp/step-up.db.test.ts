import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { callTool } from '@/lib/testing/call-tool'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'

/** The official clients, from the URL of /mcp to a write that requires another scope. */
await startOAuthWorld()
const redirectUrl = 'http://127.0.0.1:7777/callback'

/** Returns the state of an application that uses a client library, and the browser of its user. */
function makeUser(owner: Awaited<ReturnType<typeof makeOwner>>) {
  // biome-ignore lint/suspicious/noExplicitAny: each release line of the client has its own types for the same values
  const kept: Record<string, any> = {}
  const asked: string[] = []
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Agent',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier,
    redirectToAuthorization: (target: URL) => {
      kept.target = target
    },
  }
  /**
   * Signs in at the URL that the client opened last, and selects the workspace. @returns the parameters of
   * the redirect
   */
  async function authorize(): Promise<URLSearchParams> {
    asked.push(String(kept.target.searchParams.get('scope')))
    const page = await owner.browser.follow(kept.target.href)
    const answer =
      page.status === 200
        ? await owner.browser.submit(`${new URL(page.url).pathname}/decision`, [
            ['decision', 'authorize'],
            ['workspace', owner.workspace.id],
          ])
        : page
    return new URL(answer.headers.get('location') as string).searchParams
  }
  return { provider, authorize, asked, kept }
}

const address = () => new URL(`${config().BASE_URL}/mcp`)
type Provider = ReturnType<typeof makeUser>['provider']

const lines = {
  'SDK 1.x': (authProvider: Provider) => ({
    client: new EarlierClient({ name: 'test', version: '1' }),
    transport: new EarlierTransport(address(), { authProvider } as never),
  }),
  'SDK 2.x': (authProvider: Provider) => ({
    client: new Client({ name: 'test', version: '1' }),
    transport: new StreamableHTTPClientTransport(address(), { authProvider } as never),
  }),
}

describe.each(Object.entries(lines))('the official TypeScript %s', (line, make) => {
  it('requests the scope for a write, and keeps its earlier scopes', async () => {
    const owner = await makeOwner()
    const { provider, authorize, asked, kept } = makeUser(owner)
    const first = make(provider)
    await expect(first.client.connect(first.transport as never)).rejects.toThrow()
    const finish = async (transport: typeof first.transport) => {
      const answer = await authorize()
      expect(answer.get('error')).toBeNull()
      await transport.finishAuth(
        String(answer.get('code')),
        ...((line === 'SDK 2.x' ? [answer.get('iss')] : []) as []),
      )
    }
    await finish(first.transport)

    const { client, transport } = make(provider)
    await client.connect(transport as never)
    const me = async () => {
      const { structuredContent } = await client.callTool({ name: 'who_am_i', arguments: {} })
      return (structuredContent as { me?: object } | undefined)?.me
    }
    const before = await me()
    expect(before).toMatchObject({ name: owner.user.name })

    const create = () =>
      client.callTool({
        name: 'create_project',
        arguments: { workspaceId: owner.workspace.id, name: `Nova of ${line}` },
      })
    await expect(create()).rejects.toThrow()
    await finish(transport)
    expect((await create()).structuredContent).toMatchObject({ projectCreate: { name: `Nova of ${line}` } })
    expect(await me()).toEqual(before)
    expect((await client.callTool({ name: 'list_workspaces', arguments: {} })).isError).toBeFalsy()

    expect(asked.map((scope) => scope.split(' ').sort())).toEqual([
      ['openid', 'profile', 'workspace:viewer'],
      ['openid', 'profile', 'workspace:member', 'workspace:viewer'],
    ])
    expect(kept.tokens.scope.split(' ')).toEqual(expect.arrayContaining(asked[1]?.split(' ') ?? []))
    await client.close()
  })
})

describe('the challenge', () => {
  const scopesOf = (challenge: string) => /scope="([^"]+)"/.exec(challenge)?.[1]

  it('lists openid, the scopes of the token, and the missing scope', async () => {
    const { user, workspace } = await makeOwner()
    const held = ['email', 'notifications', 'offline_access', 'project:viewer']
    const { token } = await makeAccessToken(user, held, { workspaces: [workspace] })
    const { status, challenge } = await callTool(token, 'create_project', {
      workspaceId: workspace.id,
      name: 'Nova',
    })
    expect(status).toBe(403)
    expect(scopesOf(challenge)).toBe(
      'openid email offline_access workspace:member project:viewer notifications',
    )
  })

  it('lists both scopes that the token lacks for an operation', async () => {
    const { user, workspace } = await makeOwner()
    const { token } = await makeAccessToken(user, ['openid'], { workspaces: [workspace] })
    const query = '{ sshPublicKeys { nodes { id } } notifications { nodes { id } } }'
    const { challenge } = await callTool(token, 'run_query', { query })
    expect(scopesOf(challenge)).toBe('openid notifications ssh_keys')
  })

  it('omits scopes of the token that are no longer in the authorization', async () => {
    const { user, workspace } = await makeOwner()
    const { token, client } = await makeAccessToken(user, ['openid', 'email', 'workspace:viewer'], {
      workspaces: [workspace],
    })
    await prisma().authorization.updateMany({
      where: { clientId: client.id },
      data: { scopes: ['openid', 'workspace:viewer'] },
    })
    const { challenge } = await callTool(token, 'create_project', { workspaceId: workspace.id, name: 'Nova' })
    expect(scopesOf(challenge)).toBe('openid workspace:member workspace:viewer')
  })
})
