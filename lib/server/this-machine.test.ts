import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDispatcher, isFromThisMachine, type NodeHandler, thisMachineHeader } from './dispatch'
import { watchRequests } from './prepare-next-start'

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
  ])('m16: shows the demo’s mailbox to this machine only, on both mounts: %s', (_mount, answering) => {
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
