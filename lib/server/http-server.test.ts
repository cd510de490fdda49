import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drain } from './drain'
import { attach, createHttpServer } from './http-server'
import { listen } from './listen'

const server = createHttpServer()
attach(server, async (req, res) => {
  let body = ''
  for await (const chunk of req) body += chunk
  res.end(`${req.method} ${req.url} ${body}`)
})
beforeAll(() => listen(server, 0, '127.0.0.1'))
afterAll(() => drain(server))

const dial = (): Socket =>
  connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })

/** Sends bytes and hangs up. @returns everything that came back until the server closed its end as well */
const sendAndHangUp = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = dial()
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer)).on('error', reject)
    socket.end(bytes)
  })

const offers = {
  websocket:
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n',
  h2c: 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n',
}

describe('M0, F1: a request that offers an upgrade', () => {
  it.each(['/_next/webpack-hmr', '/_next/hmr', '//x/y', '/nothing-here', '/oauth/token', '/'])(
    'is answered as any other, and its socket ends: %s',
    async (path) => {
      for (const offer of Object.values(offers)) {
        const answer = await sendAndHangUp(`GET ${path} HTTP/1.1\r\nHost: a.test\r\n${offer}\r\n`)
        expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
        expect(answer).toContain(`GET ${path} `)
      }
    },
  )

  it('keeps its body, as the JDK sends one with every POST', async () => {
    const request = `POST /graphql/v2 HTTP/1.1\r\nHost: a.test\r\n${offers.h2c}Content-Length: 4\r\n\r\nbody`
    expect(await sendAndHangUp(request)).toContain('POST /graphql/v2 body')
  })

  it('leaves nothing behind, however many a stranger sends', async () => {
    const request = `GET //x/y HTTP/1.1\r\nHost: a.test\r\n${offers.websocket}\r\n`
    await Promise.all(Array.from({ length: 120 }, () => sendAndHangUp(request)))
    const open = await new Promise<number>((resolve) =>
      server.getConnections((_error, count) => resolve(count)),
    )
    expect(open).toBe(0)
  })

  it('stays that way: whoever would listen for upgrades learns that nobody may', () => {
    for (const listen of ['on', 'once', 'prependListener'] as const) {
      expect(() => server[listen]('upgrade', () => {})).toThrow('upgrades')
    }
    expect(server.listenerCount('upgrade')).toBe(0)
  })
})

it('refuses CONNECT with words, and does not wait for the client to hang up', async () => {
  const socket = dial()
  socket.write('CONNECT internal.test:443 HTTP/1.1\r\nHost: internal.test:443\r\n\r\n')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await new Promise((resolve) => socket.once('end', resolve))
  socket.destroy()
  expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\n\r\nCONNECT is not understood here\.\n$/s)
})

it('ends the connection of a client that does not read its answer', async () => {
  const impatient = createHttpServer(200)
  attach(impatient, (_req, res) => void res.end(Buffer.alloc(64 * 1024 * 1024)))
  await listen(impatient, 0, '127.0.0.1')
  const ended = new Promise<void>((resolve) =>
    impatient.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  const socket = connect((impatient.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n')
  await ended
  socket.destroy()
  await drain(impatient)
})
