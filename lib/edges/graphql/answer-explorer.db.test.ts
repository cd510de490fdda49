import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { explorerTokenName } from '@/lib/features/api-tokens/explorer-token'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { joinWorkspace, makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { handleExplorer } from './answer-explorer'

/**
 * Operations that the explorer page sends with a session cookie, and requests from other sites that imitate
 * that page.
 */
const server = createServer((req, res) => void handleExplorer(req, res))
let ada: { id: string }
let session: { id: string }

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(() => void server.close())
beforeEach(async () => {
  ada = await makeUser({ name: 'Ada' })
  session = await makeSession(ada)
})

const makeSession = (user: { id: string }, methods: string[] = ['pwd']) =>
  prisma().session.create({
    data: { userId: user.id, methods, expiresAt: new Date(Date.now() + 3_600_000) },
    select: { id: true },
  })

const cookieOf = async (user: { id: string }, { id }: { id: string }) =>
  (await sessionCookie({ sub: user.id, sid: id })).split(';', 1)[0] as string

async function ask(query: string, headers: Record<string, string> = {}, method = 'POST') {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/ask`, {
    method,
    headers: {
      origin: config().BASE_URL,
      'content-type': 'application/json',
      cookie: await cookieOf(ada, session),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify({ query }) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, ...(text ? JSON.parse(text) : {}) }
}

const code = (answer: Awaited<ReturnType<typeof ask>>) => answer.errors?.[0]?.extensions.code

const tokensOf = (user: { id: string }) => prisma().apiToken.findMany({ where: { userId: user.id } })

describe('the explorer of a signed-in user', () => {
  it('executes operations as the user and with the user’s current rights', async () => {
    const workspace = await makeWorkspace()
    await joinWorkspace(workspace, ada, 'VIEWER')
    const query = `mutation { projectCreate(input: { workspaceId: "${workspace.id}", name: "A" }) { id } }`
    expect((await ask('{ me { id name } }')).data).toEqual({ me: { id: ada.id, name: 'Ada' } })
    expect(code(await ask(query))).toBe('FORBIDDEN')
    await prisma().workspaceMember.updateMany({ where: { userId: ada.id }, data: { role: 'ADMIN' } })
    expect((await ask(query)).data.projectCreate.id).toEqual(expect.any(String))
  })

  it('cannot be used in a session without two-factor authentication if the instance requires it', async () => {
    setChangedSettings({ requireTwoFactor: 'all' })
    expect(code(await ask('{ me { id } }'))).toBe('UNAUTHENTICATED')
    const strong = await makeSession(ada, ['pwd', 'otp', 'mfa'])
    expect((await ask('{ me { id } }', { cookie: await cookieOf(ada, strong) })).data).toEqual({
      me: { id: ada.id },
    })
    setChangedSettings({})
  })

  it('creates one short-lived token for several requests, records its creation once, and lists it with the user’s tokens', async () => {
    await Promise.all([ask('{ me { id } }'), ask('{ me { id } }')])
    await ask('{ me { id } }')
    const [token, ...others] = await tokensOf(ada)
    expect(others).toEqual([])
    expect(token).toMatchObject({ name: explorerTokenName, kind: 'ACCOUNT' })
    const lives = Number(token?.expiresAt) - Date.now()
    expect(lives).toBeGreaterThan(10 * 60_000)
    expect(lives).toBeLessThanOrEqual(16 * 60_000)
    const made = await prisma().auditEvent.count({
      where: { action: 'api_token.created', resourceId: String(token?.id) },
    })
    expect(made).toBe(1)
    const listed = await ask('{ apiTokens { nodes { name } } }')
    expect(listed.data.apiTokens.nodes).toEqual([{ name: explorerTokenName }])
  })

  it('keeps working after its token expires or is deleted, but not after the session ends', async () => {
    await ask('{ me { id } }')
    await prisma().apiToken.updateMany({ where: { userId: ada.id }, data: { expiresAt: new Date(0) } })
    expect((await ask('{ me { id } }')).data.me.id).toBe(ada.id)
    await prisma().apiToken.deleteMany({ where: { userId: ada.id } })
    expect((await ask('{ me { id } }')).data.me.id).toBe(ada.id)
    await prisma().session.delete({ where: { id: session.id } })
    expect(code(await ask('{ me { id } }'))).toBe('UNAUTHENTICATED')
  })

  it('cannot access a workspace that requires two-factor authentication if the session has only one factor', async () => {
    const workspace = await makeWorkspace()
    await joinWorkspace(workspace, ada, 'ADMIN')
    await prisma().workspace.update({ where: { id: workspace.id }, data: { requireTwoFactor: true } })
    const query = `{ workspace(workspaceId: "${workspace.id}") { name } }`
    expect(code(await ask(query))).toBe('FORBIDDEN')
    const strong = await makeSession(ada, ['pwd', 'otp', 'mfa'])
    expect((await ask(query, { cookie: await cookieOf(ada, strong) })).errors).toBeUndefined()
  })
})

describe('the explorer token', () => {
  it('does not appear in the body or headers of a response, even if the query reads the current token', async () => {
    const answers = [
      await ask('{ currentToken { kind name id } apiTokens { nodes { id displayToken } } }'),
      await ask('{ nonsense }'),
      await ask('{'),
      await ask('mutation { apiTokenRevoke(id: "x") }'),
    ]
    for (const { text, headers } of answers) {
      expect(text + JSON.stringify([...headers])).not.toMatch(/lk_pat_\w{20}/)
      expect(headers.get('set-cookie')).toBeNull()
    }
    expect(answers[0]?.data.currentToken).toMatchObject({ kind: 'ACCOUNT_TOKEN', name: explorerTokenName })
  })

  it('is different for each session', async () => {
    await ask('{ me { id } }')
    await ask('{ me { id } }', { cookie: await cookieOf(ada, await makeSession(ada)) })
    const hashes = (await tokensOf(ada)).map(({ hash }) => Buffer.from(hash).toString('hex'))
    expect(new Set(hashes).size).toBe(2)
  })
})

describe('the explorer endpoint', () => {
  it.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['from a frame without an origin', { origin: 'null' }],
    ['from a subdomain', { origin: 'http://evil.localhost' }],
    ['from a site that omits Origin', { origin: '', 'sec-fetch-site': 'cross-site' }],
    ['from the same site but another origin', { origin: '', 'sec-fetch-site': 'same-site' }],
    ['of unknown origin', { origin: '' }],
  ])('rejects a request %s', async (_who, headers) => {
    const answer = await ask('mutation { x: apiTokenCreate(input: { name: "stolen" }) }', headers)
    expect([answer.status, code(answer), answer.data]).toEqual([403, 'FORBIDDEN', undefined])
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(await tokensOf(ada)).toEqual([])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'rejects the content type %s',
    async (type) => expect(code(await ask('{ me { id } }', { 'content-type': type }))).toBe('BAD_REQUEST'),
  )

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('rejects the method %s', async (method) => {
    const answer = await ask('{ me { id } }', {}, method)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(answer.headers.get('access-control-allow-headers')).toBeNull()
  })
})

it('the explorer ignores tokens in request headers, with or without a session', async () => {
  const grace = await makeUser({ name: 'Grace' })
  const { token } = await makeApiToken(grace)
  const sent = { authorization: `Bearer ${token}`, 'project-access-token': token }
  expect((await ask('{ me { id } }', sent)).data.me.id).toBe(ada.id)
  expect(code(await ask('{ me { id } }', { ...sent, cookie: '' }))).toBe('UNAUTHENTICATED')
})

it('the explorer returns only the schema to users who are not signed in', async () => {
  expect((await ask('{ __schema { queryType { name } } }', { cookie: '' })).data.__schema).toBeDefined()
  expect(code(await ask('{ me { id } }', { cookie: 'latchkey.session-token=forged' }))).toBe(
    'UNAUTHENTICATED',
  )
})

it('the explorer rejects suspended users', async () => {
  await prisma().user.update({ where: { id: ada.id }, data: { suspendedAt: new Date() } })
  expect(code(await ask('{ me { id } }'))).toBe('UNAUTHENTICATED')
})

it('the explorer answers a subscription with an error in a single JSON response', async () => {
  const answer = await ask('subscription { notificationCreated { id } }', { accept: 'text/event-stream' })
  expect(answer.headers.get('content-type')).toMatch(/json/)
  expect(answer.errors).toHaveLength(1)
})
