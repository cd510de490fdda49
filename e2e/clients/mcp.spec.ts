import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { expect, test } from '../support/test'
import { type Callback, startCallback } from './callback'
import { decide } from './consent'

/** Storage for the data that an agent must keep for its client library. */
class Kept implements OAuthClientProvider {
  information: StoredOAuthClientInformation | undefined
  kept: StoredOAuthTokens | undefined
  verifier = ''
  targets: URL[] = []

  constructor(readonly redirectUrl: string) {}

  get clientMetadata() {
    return {
      client_name: 'Agent over MCP',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }
  clientInformation = () => this.information
  saveClientInformation = (information: StoredOAuthClientInformation) => {
    this.information = information
  }
  tokens = () => this.kept
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.kept = tokens
  }
  redirectToAuthorization = (target: URL) => {
    this.targets.push(target)
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
}

const answerOf = async (callback: Callback) => {
  const answer = (await callback.answer).searchParams
  await callback.close()
  return answer
}

for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
  const revision = mode === 'legacy' ? 'before 2026-07-28' : mode.pin
  test(`an agent connects with only a URL, calls a tool, and gets another scope when it needs one (${revision}) @mounts`, async ({
    page,
    signIn,
    baseURL,
  }) => {
    const first = await startCallback()
    const agent = new Kept(first.uri)
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(`${baseURL}/mcp`), { authProvider: agent })
      const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } })
      return { transport, client, connected: client.connect(transport) }
    }

    const stranger = await connect()
    await expect(stranger.connected).rejects.toThrow(UnauthorizedError)
    expect(agent.targets[0]?.searchParams.get('scope')).toContain('workspace:viewer')
    expect(agent.targets[0]?.searchParams.get('resource')).toBe(`${baseURL}/mcp`)
    await signIn('ada')
    await page.goto(String(agent.targets[0]))
    await expect(page.getByText('Agent over MCP').first()).toBeVisible()
    await decide(page, { workspaces: ['Acme'] })
    await stranger.transport.finishAuth(await answerOf(first))

    const { client, transport, connected } = await connect()
    await connected
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('create_project')
    const listed = await client.callTool({ name: 'list_workspaces', arguments: {} })
    const { me } = listed.structuredContent as { me: { workspaces: { id: string; name: string }[] } }
    expect(me.workspaces.map(({ name }) => name)).toEqual(['Acme'])

    // The first token can only read. To create a project, the agent requests another scope, and only that
    // one, from the user.
    const second = await startCallback()
    Object.assign(agent, { redirectUrl: second.uri })
    const name = `Made by an agent ${Date.now()}`
    const creating = { name: 'create_project', arguments: { workspaceId: me.workspaces[0]?.id, name } }
    await expect(client.callTool(creating)).rejects.toThrow(UnauthorizedError)
    const asked = agent.targets.at(-1)?.searchParams.get('scope')?.split(' ')
    expect(asked).toContain('workspace:member')
    expect(asked).not.toContain('workspace:admin')
    await page.goto(String(agent.targets.at(-1)))
    await decide(page)
    await transport.finishAuth(await answerOf(second))
    const made = await client.callTool(creating)
    expect(made.structuredContent).toMatchObject({ projectCreate: { name } })
    await client.callTool({ name: 'who_am_i', arguments: {} })
    await client.close()
  })
}
