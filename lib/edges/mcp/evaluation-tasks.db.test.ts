import { beforeAll, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { setVariables } from '@/lib/features/projects/set-variables'
import type { Actor } from '@/lib/policy/actor'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer, type TestServer } from '@/lib/testing/server'
import { type Call, tasks } from './evaluation-tasks'

/**
 * Thirty tasks in sequence, in one workspace, over HTTP. No model runs: the tests measure how much a model
 * would read.
 */
let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  const ada = await makeUser({ name: 'Ada', email: 'ada@example.test' })
  const grace = await makeUser({ name: 'Grace' })
  const acme = await makeWorkspace(
    [
      [ada, 'ADMIN'],
      [grace, 'MEMBER'],
    ],
    { name: 'Acme' },
  )
  const orbit = await makeProject(acme, [], { name: 'Orbit' })
  await makeProject(acme, [], { name: 'Payments' })
  const actor: Actor = {
    kind: 'account-token',
    userId: ada.id,
    tokenId: ada.id,
    role: 'ADMIN',
    twoFactor: false,
  }
  const variables = {
    Production: ['DATABASE_URL', 'LOG_LEVEL', 'SENTRY_DSN'],
    Staging: ['DATABASE_URL', 'LOG_LEVEL'],
  }
  for (const [name, names] of Object.entries(variables)) {
    const { id } = await prisma().environment.create({ data: { projectId: orbit.id, name } })
    await setVariables(actor, {
      environmentId: id,
      variables: names.map((each) => ({ name: each, value: each === 'LOG_LEVEL' ? 'debug' : 'secret' })),
    })
  }
  const { client } = await makeClient(acme, {
    name: 'Foreman',
    redirectUris: ['https://foreman.example/callback'],
  })
  await prisma().appFailure.create({
    data: {
      clientId: client.id,
      endpoint: 'authorization',
      error: 'invalid_redirect_uri',
      description: 'Not registered.',
    },
  })
  const { row } = await makeApiToken(ada, { workspace: acme })
  await prisma().apiToken.update({ where: { id: row.id }, data: { name: 'deploys' } })
  token = (
    await makeAccessToken(ada, ['openid', 'email', 'profile', 'workspace:admin'], { workspaces: [acme] })
  ).token
})

/** Returns a function that calls tools and counts the bytes that a model has to read. */
function counted() {
  const spent = { calls: 0, bytes: 0 }
  const call: Call = async (name, input = {}) => {
    const reply = await server.fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    })
    const text = await reply.text()
    spent.calls += 1
    const { result } = JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] as string))
    if (!result || result.isError) throw new Error(`${name} answered ${text}`)
    spent.bytes += Buffer.byteLength(JSON.stringify(result))
    return result.structuredContent
  }
  return { spent, call }
}

it('the evaluation has thirty different tasks', () => {
  expect(tasks).toHaveLength(30)
  expect(new Set(tasks.map(({ says }) => says)).size).toBe(30)
})

it.each(tasks)(
  'the tools answer a task with the expected number of calls and response size: $says',
  async ({ solve, holds, calls, most }) => {
    const { spent, call } = counted()
    expect(JSON.stringify(await solve(call))).toContain(holds)
    expect(spent.calls).toBe(calls)
    // The limit is at most 1.5 times the actual size.
    expect(spent.bytes).toBeLessThanOrEqual(most)
    expect(spent.bytes * 1.5).toBeGreaterThan(most)
  },
)

it('the tool list is smaller than 41,000 bytes', async () => {
  const reply = await server.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  expect(Buffer.byteLength(await reply.text())).toBeLessThan(41_000)
})
