import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { callTool, sendToMcp, toolCall } from '@/lib/testing/call-tool'
import { makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer, type TestServer } from '@/lib/testing/server'

const printed = vi.hoisted(() => vi.fn())
vi.mock('graphql', async (original) => {
  const actual = await original<typeof import('graphql')>()
  return { ...actual, printSchema: printed.mockImplementation(actual.printSchema) }
})

/** Attempts to run several operations in one request to /mcp, which can contain only one. */
let server: TestServer
let user: Awaited<ReturnType<typeof makeUser>>
let workspace: Awaited<ReturnType<typeof makeWorkspace>>
let token: string
beforeAll(async () => {
  server = await startTestServer()
  user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
  token = (await makeApiToken(user)).token
})
afterEach(() => {
  delete process.env.RATE_LIMIT_PER_HOUR
  resetConfig()
})

const remaining = (reply: Response) => Number(reply.headers.get('x-ratelimit-remaining'))
const readSchema = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'resources/read',
  params: { uri: `${config().BASE_URL}/schema.graphql` },
})

describe('a JSON-RPC batch', () => {
  const batches: [string, object[]][] = [
    ['100 reads of the schema', Array.from({ length: 100 }, (_, id) => readSchema(id))],
    ['one call', [toolCall('who_am_i')]],
    ['an initialization', [{ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }]],
    ['notifications', [{ jsonrpc: '2.0', method: 'notifications/initialized' }]],
    ['no messages', []],
  ]
  const revisions = [undefined, '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

  it.each(batches)('is rejected in every protocol revision if it contains %s', async (_name, messages) => {
    for (const revision of revisions) {
      const headers: Record<string, string> = revision ? { 'mcp-protocol-version': revision } : {}
      const reply = await sendToMcp(messages, token, headers)
      const text = await reply.text()
      expect([reply.status, JSON.parse(text).error]).toMatchObject([
        400,
        { code: -32600, message: 'Batches are not supported. Send one message per request.' },
      ])
      expect(text.length).toBeLessThan(300)
    }
  })

  it('is rejected before any of its messages is executed', async () => {
    const create = (name: string) => toolCall('create_project', { workspaceId: workspace.id, name })
    await sendToMcp([create('One'), create('Two')], token)
    expect(await prisma().project.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })
})

it('/mcp returns 400 for a body that is not JSON', async () => {
  const reply = await server.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: '{"jsonrpc": "2.0"',
  })
  expect([reply.status, (await reply.json()).error.code]).toEqual([400, -32700])
})

describe('the hourly limit', () => {
  it('counts a tool call, a resource read, a list, and a notification as one request each', async () => {
    const messages = [
      toolCall('who_am_i'),
      toolCall('run_query', { query: '{ me { id } }' }),
      readSchema(1),
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: 'resources/list' },
      { jsonrpc: '2.0', id: 1, method: 'prompts/list' },
      { jsonrpc: '2.0', id: 1, method: 'completion/complete', params: {} },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ]
    const start = remaining(await sendToMcp(toolCall('who_am_i'), token))
    for (const [at, message] of messages.entries()) {
      const reply = await sendToMcp(message, token)
      await reply.text()
      expect([at, remaining(reply)]).toEqual([at, start - 1 - at])
    }
  })

  it('counts each mutation of an operation, including those in aliases and fragments', async () => {
    const owned = await makeApiToken(user)
    const rename = (alias: string) =>
      `${alias}: workspaceUpdate(id: "${workspace.id}", input: { name: "Acme" }) { id }`
    const query = `mutation { ${rename('a')} ${rename('b')} ...more ... on Mutation { ${rename('c')} } }
      fragment more on Mutation { ${rename('c')} ${rename('d')} }`
    const start = remaining(await sendToMcp(toolCall('who_am_i'), owned.token))
    const reply = await sendToMcp(toolCall('run_mutation', { query }), owned.token)
    expect(await reply.text()).toContain('"d"')
    expect(remaining(reply)).toBe(start - 4)
    const direct = await server.fetch('/graphql/v2', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owned.token}` },
      body: JSON.stringify({ query }),
    })
    expect(remaining(direct)).toBe(start - 8)
  })

  it('stops an operation with more mutations than remaining requests before it executes any mutation', async () => {
    const owned = await makeApiToken(user)
    process.env.RATE_LIMIT_PER_HOUR = '3'
    resetConfig()
    const create = (at: number) =>
      `a${at}: projectCreate(input: { workspaceId: "${workspace.id}", name: "P${at}" }) { id }`
    const query = `mutation { ${[1, 2, 3, 4].map(create).join(' ')} }`
    const reply = await sendToMcp(toolCall('run_mutation', { query }), owned.token)
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(await prisma().project.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })
})

describe('the /mcp endpoint', () => {
  it('rejects subscriptions, both through tools and through the protocol', async () => {
    const query = 'subscription { notifications { id } }'
    for (const tool of ['run_query', 'run_mutation']) {
      expect((await callTool(token, tool, { query })).text).toMatch(/BAD_REQUEST|GRAPHQL_VALIDATION_FAILED/)
    }
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    }
    const reply = await sendToMcp(listen, token, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    })
    expect(await reply.text()).toContain('error')
  })

  it('rejects an operation that exceeds the API’s cost limit', async () => {
    const query =
      '{ projects(first: 100) { nodes { members { id } environments { nodes { variables { nodes { id name } } } } } } }'
    const { text } = await callTool(token, 'run_query', { query })
    expect(text).toContain('QUERY_TOO_COMPLEX')
  })
})

it('/mcp sends less than four megabytes for a large API response, and a short error for a larger one', async () => {
  await pool().query(
    `INSERT INTO projects (id, workspace_id, name, description, updated_at)
     SELECT gen_random_uuid(), $1, 'Project ' || n, repeat('"', 2000), now() FROM generate_series(1, 100) n`,
    [workspace.id],
  )
  const fields = (most: number) => Array.from({ length: most }, (_, at) => `a${at}: description`).join(' ')
  const read = (most: number) =>
    callTool(token, 'run_query', { query: `{ projects(first: 100) { nodes { ${fields(most)} } } }` })
  const large = await read(2)
  expect(large.text).toContain('The following is data')
  expect(large.text.length).toBeLessThan(4 * 1024 * 1024)
  const tooLarge = await read(10)
  expect(tooLarge.text).toContain('QUERY_TOO_COMPLEX: The response has')
  expect(tooLarge.text.length).toBeLessThan(1_000)
})

it('the schema text is generated only once for several requests', async () => {
  const texts: string[] = []
  for (let at = 0; at < 3; at++) texts.push(await (await sendToMcp(readSchema(1), token)).text())
  expect(texts[0]).toContain('type Mutation')
  expect(new Set(texts).size).toBe(1)
  expect(printed).toHaveBeenCalledTimes(1)
})
