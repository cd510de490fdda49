import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import os from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { captureLog } from '@/lib/testing/captured-log'
import { testPort } from '@/lib/testing/free-port'
import { attach, createHttpServer, drain, listen } from './http-server'

describe('the HTTP server', () => {
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

  /**
   * Sends bytes and closes the client's side of the connection. @returns everything that the server sent
   * before it closed its side
   */
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

  describe('a request that offers an upgrade', () => {
    it.each(['/_next/webpack-hmr', '/_next/hmr', '//x/y', '/nothing-here', '/oauth/token', '/'])(
      'gets the usual response on %s, and its socket is closed after the client disconnects',
      async (path) => {
        for (const offer of Object.values(offers)) {
          const answer = await sendAndHangUp(`GET ${path} HTTP/1.1\r\nHost: a.test\r\n${offer}\r\n`)
          expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
          expect(answer).toContain(`GET ${path} `)
        }
      },
    )

    it('is handled with its body if it offers h2c, as requests from the JDK’s HTTP client do', async () => {
      const request = `POST /graphql/v2 HTTP/1.1\r\nHost: a.test\r\n${offers.h2c}Content-Length: 4\r\n\r\nbody`
      expect(await sendAndHangUp(request)).toContain('POST /graphql/v2 body')
    })

    it('leaves no sockets open, regardless of the number of requests', async () => {
      const request = `GET //x/y HTTP/1.1\r\nHost: a.test\r\n${offers.websocket}\r\n`
      await Promise.all(Array.from({ length: 120 }, () => sendAndHangUp(request)))
      const open = await new Promise<number>((resolve) =>
        server.getConnections((_error, count) => resolve(count)),
      )
      expect(open).toBe(0)
    })

    it('never reaches an upgrade listener, because adding such a listener throws an error', () => {
      for (const listen of ['on', 'once', 'prependListener'] as const) {
        expect(() => server[listen]('upgrade', () => {})).toThrow('upgrades')
      }
      expect(server.listenerCount('upgrade')).toBe(0)
    })
  })

  it('rejects CONNECT with a response, without waiting for the client to disconnect', async () => {
    const socket = dial()
    socket.write('CONNECT internal.test:443 HTTP/1.1\r\nHost: internal.test:443\r\n\r\n')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    await new Promise((resolve) => socket.once('end', resolve))
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\n\r\nCONNECT is not supported\.\n$/s)
  })

  it('closes the connection of a client that does not read its response', async () => {
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
})

describe('listen', () => {
  const started: ReturnType<typeof createHttpServer>[] = []
  afterEach(() => Promise.all(started.splice(0).map((server) => drain(server))))

  async function start(host?: string): Promise<number> {
    const port = await testPort()
    const server = createHttpServer()
    attach(server, (_req, res) => void res.setHeader('connection', 'close').end('here'))
    started.push(server)
    await listen(server, port, host)
    return port
  }

  const answers = (address: string, port: number): Promise<boolean> =>
    fetch(`http://${address.includes(':') ? `[${address}]` : address}:${port}/`).then(
      async (answer) => (await answer.text()) === 'here',
      () => false,
    )

  const own = Object.values(os.networkInterfaces()).flat()
  const outward = own.find((each) => each && !each.internal && each.family === 'IPv4')?.address
  const hasIPv6 = own.some((each) => each?.address === '::1')

  it.each([undefined, 'localhost'])(
    'accepts connections only on loopback addresses if HOST is %s',
    async (host) => {
      const port = await start(host)
      expect(await answers('127.0.0.1', port)).toBe(true)
      expect(await answers('::1', port)).toBe(hasIPv6)
      if (outward) expect(await answers(outward, port)).toBe(false)
    },
  )

  it.each(['0.0.0.0', '::'])('accepts connections on every IP address if HOST is %s', async (host) => {
    const port = await start(host)
    expect(await answers('127.0.0.1', port)).toBe(true)
    if (outward) expect(await answers(outward, port)).toBe(true)
  })

  it.runIf(hasIPv6)('fails if another program already uses the port on localhost', async () => {
    const port = await testPort()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '::1', resolve))
    const server = createHttpServer()
    attach(server, (_req, res) => void res.end())
    started.push(server)
    await expect(listen(server, port)).rejects.toThrow(`Port ${port} can’t be opened (EADDRINUSE)`)
    other.close()
  })

  it('names HOST if it is not an address of this machine', async () => {
    const server = createHttpServer()
    started.push(server)
    await expect(listen(server, await testPort(), '192.0.2.1')).rejects.toThrow(
      'HOST 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL).',
    )
  })
})

describe('drain', () => {
  const dialled: Socket[] = []
  afterEach(() => {
    for (const socket of dialled.splice(0)) socket.destroy()
  })

  /** Starts a server whose responses the test sends. */
  async function startOfDrain() {
    const server = createHttpServer()
    const waiting: ServerResponse[] = []
    let noticed = () => {}
    attach(server, (_req, res) => {
      waiting.push(res)
      noticed()
    })
    await listen(server, 0, '127.0.0.1')
    const dial = (): Socket => {
      const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
      dialled.push(socket)
      return socket
    }
    const nextRequest = () =>
      new Promise<void>((resolve) => {
        noticed = resolve
      })
    return { server, waiting, dial, nextRequest }
  }

  const get = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n'

  const everything = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.once('close', () => resolve(text))
    })

  it('finishes a request in progress and closes its connection', async () => {
    const { server, waiting, dial, nextRequest } = await startOfDrain()
    const socket = dial()
    const came = nextRequest()
    socket.write(get)
    await came
    const answer = everything(socket)
    const ended = drain(server)
    waiting[0]?.end('done')
    await ended
    expect(await answer).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*done$/is)
  })

  it('finishes a response that has started', async () => {
    const { server, waiting, dial, nextRequest } = await startOfDrain()
    const socket = dial()
    const came = nextRequest()
    socket.write(get)
    await came
    waiting[0]?.write('the beginning, ')
    const answer = everything(socket)
    const ended = drain(server)
    waiting[0]?.end('the end')
    await ended
    expect(await answer).toMatch(/the beginning, .*the end/s)
  })

  it('keeps responding during the notice period and closes each connection after its response', async () => {
    const { server, waiting, dial, nextRequest } = await startOfDrain()
    const ended = drain(server, { noticeMs: 1_500 })
    const socket = dial()
    const came = nextRequest()
    socket.write(get)
    await came
    const answer = everything(socket)
    waiting[0]?.end('done')
    expect(await answer).toMatch(/\r\nconnection: close\r\n.*done$/is)
    await ended
  })

  it('serves connections that the kernel has accepted, regardless of their number', async () => {
    const { server, waiting, dial } = await startOfDrain()
    const clients = Array.from({ length: 40 }, dial)
    const answers = clients.map(everything)
    for (const client of clients) client.write(get)
    await Promise.all(clients.map((client) => once(client, 'connect')))
    const ended = drain(server)
    await expect.poll(() => waiting.length).toBe(40)
    for (const answer of waiting) answer.end('done')
    await ended
    expect((await Promise.all(answers)).filter((text) => !text.endsWith('done'))).toEqual([])
  })

  it('does not wait for idle connections or connections without a request', async () => {
    const { server, waiting, dial, nextRequest } = await startOfDrain()
    const silent = everything(dial())
    const idle = dial()
    const came = nextRequest()
    idle.write(get)
    await came
    const answered = new Promise((resolve) => idle.once('data', resolve))
    waiting[0]?.end('done')
    await answered
    await drain(server, { atMostMs: 60_000 })
    expect(await silent).toBe('')
  })

  it('ends unfinished requests and responses after the maximum time', async () => {
    const { server, dial, nextRequest } = await startOfDrain()
    const half = dial()
    half.write('POST /login HTTP/1.1\r\nContent-Le')
    const came = nextRequest()
    const hanging = dial()
    hanging.write(get)
    await came
    const closed = [everything(half), everything(hanging)]
    await drain(server, { atMostMs: 100 })
    expect(await Promise.all(closed)).toEqual(['', ''])
  })
})

describe('unreadable requests', () => {
  const serverOfRefuseUnreadable = createHttpServer()
  attach(serverOfRefuseUnreadable, (_req, res) => {
    res.end('fine')
  })
  beforeAll(() => new Promise<void>((resolve) => serverOfRefuseUnreadable.listen(0, '127.0.0.1', resolve)))
  afterAll(() => serverOfRefuseUnreadable.close())

  const send = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect((serverOfRefuseUnreadable.address() as AddressInfo).port, '127.0.0.1', () =>
        socket.write(bytes),
      )
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer)).on('error', reject)
    })

  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    ['a header that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431 '],
    ['a CONNECT request', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', '405 Method Not Allowed'],
  ])('get a response with a request ID: %s', async (_what, bytes, status) => {
    const answer = await send(bytes)
    expect(answer.startsWith(`HTTP/1.1 ${status}`)).toBe(true)
    expect(answer).toMatch(/^x-request-id: [0-9a-f]{20}\r$/m)
  })

  it('are logged with the request ID', async () => {
    const log = captureLog()
    const answer = await send('hello\r\n\r\n')
    log.release()
    const [, id] = /^x-request-id: (\w+)/m.exec(answer) ?? []
    expect(log.entries()).toMatchObject([
      { level: 'debug', msg: 'a request could not be read', requestId: id, status: 400 },
    ])
    expect(log.text()).not.toContain('hello')
  })
})
