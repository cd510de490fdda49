import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { captureLog } from '@/lib/testing/captured-log'
import { createDispatcher, isFromThisMachine, mountOf, type NodeHandler, thisMachineHeader } from './dispatch'
import { watchRequests } from './prepare-next-start'

describe('dispatch', () => {
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

  /** Sends the request line as it is; fetch would tidy the address first. */
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
  ])('%s belongs to %s', (path, mount) => expect(mountOf(path)).toBe(mount))

  it('hands the address over untouched', async () => {
    expect(await send('/oauth/auth?state=100%25&x=%ZZ')).toMatch(
      /^HTTP\/1.1 200.*oauth \/oauth\/auth\?state=100%25&x=%ZZ/s,
    )
  })

  it('takes a whole address on the request line, as proxies send it', async () => {
    expect(await send('http://a.test/login?a=b')).toMatch(/pages \/login\?a=b/)
  })

  it.each(['/%', '/%E0%A4%A', '/oauth/%ZZ', '/graphql/v2%', '/workspaces/a%00b', 'nonsense'])(
    'answers 400 to %s',
    async (target) => expect(await send(target)).toMatch(/^HTTP\/1.1 400 /),
  )

  it.each(['TRACE', 'PROPFIND', 'QUERY'])(
    'm3: refuses %s with words, before the pages stumble over it',
    async (method) => {
      const answer = await send('/healthz', method)
      expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, POST, OPTIONS\r\n/is)
      expect(answer).toContain(`${method} is not understood here`)
    },
  )

  it('answers 500 without detail when a handler throws, and logs it', async () => {
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
  ])('refuses a server action from elsewhere: %j', async (headers) => {
    expect((await action(headers)).status).toBe(403)
  })

  it('takes a server action from a page of its own', async () => {
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

    it('is on every answer where the address is https', async () => {
      vi.stubEnv('BASE_URL', 'https://login.example.com')
      resetConfig()
      expect(await answersOf(createDispatcher(mounts))).toEqual(paths.map(() => 'max-age=31536000'))
      vi.unstubAllEnvs()
      resetConfig()
    })

    it('is on none where it is http', async () => {
      expect(await answersOf(createDispatcher(mounts))).toEqual(paths.map(() => null))
    })
  })
})

describe('this machine', () => {
  // First of all: a server of ours, once there, is there for good.
  it('m16: takes nobody for this machine where no server of ours tells who is there', () => {
    expect(isFromThisMachine(new Headers({ [thisMachineHeader]: 'yes', host: 'localhost' }))).toBe(false)
  })

  const mailbox: NodeHandler = (req, res) =>
    void res.end(String(isFromThisMachine(new Headers(req.headers as Record<string, string>))))

  describe.each([
    ['server.ts', () => createDispatcher({ oauth: mailbox, graphql: mailbox, mcp: mailbox, pages: mailbox })],
    [
      'next start',
      () => {
        watchRequests()
        return mailbox
      },
    ],
  ])('m16: the demo’s mailbox, at both doors: %s', (_door, answering) => {
    let server: Server
    let port: number
    beforeAll(async () => {
      server = createServer(answering())
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
    })
    afterAll(() => server.close())

    const isOpenTo = (headers: Record<string, string>): Promise<string> =>
      new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, path: '/dev/mailbox', headers }, async (answer) =>
          resolve((await answer.toArray()).join('')),
        )
          .on('error', reject)
          .end()
      })

    it.each(['localhost', 'localhost:3000', 'LocalHost:3000', '127.0.0.1:3000', '[::1]', '[::1]:3000'])(
      'is open to who asks for %s on this machine, whatever BASE_URL is',
      async (host) => expect(await isOpenTo({ host })).toBe('true'),
    )

    it.each([
      ...[
        'evil.example',
        'evil.example:3000',
        'localhost.evil.example',
        'localhost@evil.example',
        'localhost:x',
      ],
      ...['127.0.0.1.evil.example', '[::2]', '192.168.1.20:3000'],
    ])('is closed to a page whose name was made to lead here: %s', async (host) =>
      expect(await isOpenTo({ host })).toBe('false'),
    )

    it.each([
      ...[
        'X-Forwarded-For',
        'X-Forwarded-Host',
        'X-Forwarded-Proto',
        'X-Forwarded-Server',
        'Forwarded',
        'Via',
      ],
      ...['X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP', 'X-Original-Forwarded-For'],
    ])('is closed to what a proxy passes on that adds %s, even one that names this machine', async (name) =>
      expect(await isOpenTo({ host: 'localhost', [name]: '127.0.0.1' })).toBe('false'),
    )

    it('is closed to a client that says itself that it is on this machine', async () =>
      expect(await isOpenTo({ host: 'evil.example', [thisMachineHeader]: 'yes' })).toBe('false'))

    it('is closed to a proxy that adds nothing, asks for localhost and speaks HTTP/1.0', async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /dev/mailbox HTTP/1.0\r\nHost: localhost\r\n\r\n')
      expect((await socket.toArray()).join('')).toMatch(/\r\n\r\nfalse$/)
    })
  })
})
