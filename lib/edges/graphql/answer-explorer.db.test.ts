import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { explorerTokenName } from '@/lib/features/api-tokens/explorer-token'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { joinWorkspace, makeApiToken, makePerson, makeWorkspace } from '@/lib/testing/factories'
import { handleExplorer } from './answer-explorer'

/** What the explorer's page may ask with a session's cookie, and everybody who would like to as well. */
const server = createServer((req, res) => void handleExplorer(req, res))
let ada: { id: string }
let session: { id: string }

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(() => void server.close())
beforeEach(async () => {
  ada = await makePerson({ name: 'Ada' })
  session = await makeSession(ada)
})

const makeSession = (person: { id: string }, methods: string[] = ['pwd']) =>
  prisma().session.create({
    data: { userId: person.id, methods, expiresAt: new Date(Date.now() + 3_600_000) },
    select: { id: true },
  })

const cookieOf = async (person: { id: string }, { id }: { id: string }) =>
  (await sessionCookie({ sub: person.id, sid: id })).split(';', 1)[0] as string

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

const tokensOf = (person: { id: string }) => prisma().apiToken.findMany({ where: { userId: person.id } })

describe('the explorer of somebody who is signed in', () => {
  it('asks as that person, with their rights of now', async () => {
    const workspace = await makeWorkspace()
    await joinWorkspace(workspace, ada, 'VIEWER')
    const query = `mutation { projectCreate(input: { workspaceId: "${workspace.id}", name: "A" }) { id } }`
    expect((await ask('{ me { id name } }')).data).toEqual({ me: { id: ada.id, name: 'Ada' } })
    expect(code(await ask(query))).toBe('FORBIDDEN')
    await prisma().workspaceMember.updateMany({ where: { userId: ada.id }, data: { role: 'ADMIN' } })
    expect((await ask(query)).data.projectCreate.id).toEqual(expect.any(String))
  })

  it('asks as nobody for a session that owes the second factor demanded of everybody', async () => {
    setChangedSettings({ requireTwoFactor: 'all' })
    expect(code(await ask('{ me { id } }'))).toBe('UNAUTHENTICATED')
    const strong = await makeSession(ada, ['pwd', 'otp', 'mfa'])
    expect((await ask('{ me { id } }', { cookie: await cookieOf(ada, strong) })).data).toEqual({
      me: { id: ada.id },
    })
    setChangedSettings({})
  })

  it('leaves one token behind, of a quarter of an hour, recorded once and found among their tokens', async () => {
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

  it('goes on when the token has run out or was revoked, as long as the session lives', async () => {
    await ask('{ me { id } }')
    await prisma().apiToken.updateMany({ where: { userId: ada.id }, data: { expiresAt: new Date(0) } })
    expect((await ask('{ me { id } }')).data.me.id).toBe(ada.id)
    await prisma().apiToken.deleteMany({ where: { userId: ada.id } })
    expect((await ask('{ me { id } }')).data.me.id).toBe(ada.id)
    await prisma().session.delete({ where: { id: session.id } })
    expect(code(await ask('{ me { id } }'))).toBe('UNAUTHENTICATED')
  })

  it('is as strong as the session: a workspace that asks for two factors stays closed to one', async () => {
    const workspace = await makeWorkspace()
    await joinWorkspace(workspace, ada, 'ADMIN')
    await prisma().workspace.update({ where: { id: workspace.id }, data: { requireTwoFactor: true } })
    const query = `{ workspace(workspaceId: "${workspace.id}") { name } }`
    expect(code(await ask(query))).toBe('FORBIDDEN')
    const strong = await makeSession(ada, ['pwd', 'otp', 'mfa'])
    expect((await ask(query, { cookie: await cookieOf(ada, strong) })).errors).toBeUndefined()
  })
})

describe('nobody is told the token', () => {
  it('not in an answer, its headers or the token that it names as its own', async () => {
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

  it('nor is it guessed: another session has another', async () => {
    await ask('{ me { id } }')
    await ask('{ me { id } }', { cookie: await cookieOf(ada, await makeSession(ada)) })
    const hashes = (await tokensOf(ada)).map(({ hash }) => Buffer.from(hash).toString('hex'))
    expect(new Set(hashes).size).toBe(2)
  })
})

describe('a page elsewhere cannot ask in somebody’s name', () => {
  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a frame without an origin', { origin: 'null' }],
    ['a host below ours', { origin: 'http://evil.localhost' }],
    ['a site that leaves Origin out', { origin: '', 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { origin: '', 'sec-fetch-site': 'same-site' }],
    ['nobody knows where', { origin: '' }],
  ])('%s', async (_who, headers) => {
    const answer = await ask('mutation { x: apiTokenCreate(input: { name: "stolen" }) }', headers)
    expect([answer.status, code(answer), answer.data]).toEqual([403, 'FORBIDDEN', undefined])
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(await tokensOf(ada)).toEqual([])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a form, as %s',
    async (type) => expect(code(await ask('{ me { id } }', { 'content-type': type }))).toBe('BAD_REQUEST'),
  )

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('a %s', async (method) => {
    const answer = await ask('{ me { id } }', {}, method)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(answer.headers.get('access-control-allow-headers')).toBeNull()
  })
})

it('takes no token in place of the session, nor beside it', async () => {
  const grace = await makePerson({ name: 'Grace' })
  const { token } = await makeApiToken(grace)
  const sent = { authorization: `Bearer ${token}`, 'project-access-token': token }
  expect((await ask('{ me { id } }', sent)).data.me.id).toBe(ada.id)
  expect(code(await ask('{ me { id } }', { ...sent, cookie: '' }))).toBe('UNAUTHENTICATED')
})

it('shows the schema to whoever is not signed in, and nothing else', async () => {
  expect((await ask('{ __schema { queryType { name } } }', { cookie: '' })).data.__schema).toBeDefined()
  expect(code(await ask('{ me { id } }', { cookie: 'latchkey.session-token=forged' }))).toBe(
    'UNAUTHENTICATED',
  )
})

it('lets nobody in who is suspended', async () => {
  await prisma().user.update({ where: { id: ada.id }, data: { suspendedAt: new Date() } })
  expect(code(await ask('{ me { id } }'))).toBe('UNAUTHENTICATED')
})

it('answers a subscription with one answer, and holds no stream open', async () => {
  const answer = await ask('subscription { notificationCreated { id } }', { accept: 'text/event-stream' })
  expect(answer.headers.get('content-type')).toMatch(/json/)
  expect(answer.errors).toHaveLength(1)
})
