import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { captureLog } from '@/lib/testing/captured-log'
import { createDispatcher, mountOf } from './dispatch'

const says = (name: string) => (req: { url?: string }, res: { end: (text: string) => void }) =>
  res.end(`${name} ${req.url}`)
const server = createServer(
  createDispatcher({
    oauth: says('oauth'),
    graphql: async () => {
      throw new Error('a defect with a secret in it')
    },
    mcp: says('mcp'),
    pages: says('pages'),
  }),
)
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

/** Sends the request line unchanged. `fetch` would normalize the URL. */
const send = (target: string, method = 'GET'): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer)).on('error', reject)
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`)
  })

it.each([
  ['/oauth', 'oauth'],
  ['/oauth/token', 'oauth'],
  ['/oauth/.well-known/openid-configuration', 'oauth'],
  ['/oauthx', 'pages'],
  ['/.well-known/oauth-authorization-server', 'oauth'],
  ['/.well-known/oauth-authorization-server/oauth', 'oauth'],
  ['/.well-known/openid-configuration/oauth', 'oauth'],
  ['/.well-known/oauth-protected-resource', 'oauth'],
  ['/.well-known/oauth-protected-resource/graphql/v2', 'oauth'],
  ['/.well-known/security.txt', 'pages'],
  ['/graphql/v2', 'graphql'],
  ['/graphql/v20', 'pages'],
  ['/mcp', 'mcp'],
  ['/mcp/', 'mcp'],
  ['/mcp/x', 'pages'],
  ['/graphql', 'pages'],
  ['/', 'pages'],
])('the dispatcher routes %s to %s', (path, mount) => expect(mountOf(path)).toBe(mount))

it('the dispatcher passes the URL to the handler unchanged', async () => {
  expect(await send('/oauth/auth?state=100%25&x=%ZZ')).toMatch(
    /^HTTP\/1.1 200.*oauth \/oauth\/auth\?state=100%25&x=%ZZ/s,
  )
})

it('the dispatcher accepts an absolute URL on the request line, as proxies send it', async () => {
  expect(await send('http://a.test/login?a=b')).toMatch(/pages \/login\?a=b/)
})

it.each(['/%', '/%E0%A4%A', '/oauth/%ZZ', '/graphql/v2%', '/workspaces/a%00b', 'nonsense'])(
  'the dispatcher responds with 400 to %s',
  async (target) => expect(await send(target)).toMatch(/^HTTP\/1.1 400 /),
)

it.each(['TRACE', 'PROPFIND', 'QUERY'])(
  'the dispatcher rejects %s requests with a message before they reach the pages',
  async (method) => {
    const answer = await send('/healthz', method)
    expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, POST, OPTIONS\r\n/is)
    expect(answer).toContain(`${method} is not supported`)
  },
)

it('the dispatcher responds with 500 without details if a handler throws, and logs the error', async () => {
  const log = captureLog()
  const answer = await send('/graphql/v2')
  log.release()
  expect(answer).toMatch(/^HTTP\/1.1 500 /)
  expect(answer).not.toContain('secret')
  const [, id] = /^x-request-id: (\w+)\r$/m.exec(answer) ?? []
  expect(answer).toContain(`Reference: ${id}`)
  expect(log.entries().filter(({ level }) => level === 'error')).toMatchObject([
    { msg: 'a request failed', method: 'GET', requestId: id },
  ])
})

const action = (headers: Record<string, string>) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/account`, {
    method: 'POST',
    headers,
    body: '[]',
  })

it.each<Record<string, string>>([
  { 'next-action': 'x', origin: 'https://evil.example' },
  { 'next-action': 'x', origin: 'null' },
  { 'content-type': 'multipart/form-data; boundary=b', origin: 'https://evil.example' },
])('the dispatcher rejects a cross-site server action: %j', async (headers) => {
  expect((await action(headers)).status).toBe(403)
})

it('the dispatcher accepts a server action from a page of this instance', async () => {
  expect((await action({ 'next-action': 'x', origin: config().BASE_URL })).status).toBe(200)
})

describe('Strict-Transport-Security', () => {
  const paths = ['/oauth/token', '/graphql/v2', '/', '/%']
  const answersOf = async (dispatcher: ReturnType<typeof createDispatcher>) => {
    const other = createServer(dispatcher)
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const answers = await Promise.all(paths.map((path) => fetch(`http://127.0.0.1:${port}${path}`)))
    other.close()
    return answers.map(({ headers }) => headers.get('strict-transport-security'))
  }
  const mounts = { oauth: says('oauth'), graphql: says('graphql'), mcp: says('mcp'), pages: says('pages') }

  it('is in every response if BASE_URL is https', async () => {
    vi.stubEnv('BASE_URL', 'https://login.example.com')
    resetConfig()
    expect(await answersOf(createDispatcher(mounts))).toEqual(paths.map(() => 'max-age=31536000'))
    vi.unstubAllEnvs()
    resetConfig()
  })

  it('is in no response if BASE_URL is http', async () => {
    expect(await answersOf(createDispatcher(mounts))).toEqual(paths.map(() => null))
  })
})
