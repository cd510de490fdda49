import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDispatcher, isFromThisMachine, type NodeHandler, thisMachineHeader } from './dispatch'
import { watchRequests } from './prepare-next-start'

describe('the demo mailbox', () => {
  // This test must run first. After a server has set the header, the process trusts the header from then on.
  it('rejects a request if no server in this process marks local requests', () => {
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
  ])('under %s', (_mount, answering) => {
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
      'accepts a request from this machine for the host %s, regardless of BASE_URL',
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
    ])('rejects a request whose Host %s is not a loopback name', async (host) =>
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
    ])('rejects a proxied request with the header %s, even if its Host is a loopback name', async (name) =>
      expect(await isOpenTo({ host: 'localhost', [name]: '127.0.0.1' })).toBe('false'),
    )

    it('rejects a request whose Host is not a loopback name, even if the client sends the header for local requests', async () =>
      expect(await isOpenTo({ host: 'evil.example', [thisMachineHeader]: 'yes' })).toBe('false'))

    it('rejects a request for localhost from a proxy that adds no header but uses HTTP/1.0', async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /dev/mailbox HTTP/1.0\r\nHost: localhost\r\n\r\n')
      expect((await socket.toArray()).join('')).toMatch(/\r\n\r\nfalse$/)
    })
  })
})
