import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDispatcher, isFromThisMachine, type NodeHandler, thisMachineHeader } from './dispatch'
import { watchRequests } from './prepare-next-start'

describe('the demo mailbox', () => {
  // This test must run first, because the process keeps trusting the header after a server has set it.
  it('accepts no request that the server has not handled first', () => {
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
  ])('shown only to this machine, under %s,', (_mount, answering) => {
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
      'accepts a request for %s on this machine, regardless of BASE_URL',
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
    ])('rejects a page under a name that resolves to this machine: %s', async (host) =>
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
    ])('rejects a proxied request with %s, even for this machine’s name', async (name) =>
      expect(await isOpenTo({ host: 'localhost', [name]: '127.0.0.1' })).toBe('false'),
    )

    it('rejects a client that sends the header itself', async () =>
      expect(await isOpenTo({ host: 'evil.example', [thisMachineHeader]: 'yes' })).toBe('false'))

    it('rejects a proxy that adds no header and uses HTTP/1.0 for localhost', async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /dev/mailbox HTTP/1.0\r\nHost: localhost\r\n\r\n')
      expect((await socket.toArray()).join('')).toMatch(/\r\n\r\nfalse$/)
    })
  })
})
