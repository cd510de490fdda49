import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { createDispatcher } from './dispatch'

/** The ways in which a handler in Next can read a body. */
const readers: Record<string, (req: IncomingMessage) => Promise<number>> = {
  iterates: async (req) => {
    let size = 0
    for await (const chunk of req) size += chunk.length
    return size
  },
  pipes: async (req) => {
    const through = new PassThrough()
    let size = 0
    through.on('data', (chunk) => {
      size += chunk.length
    })
    await pipeline(req, through)
    return size
  },
  listens: (req) =>
    new Promise((resolve) => {
      let size = 0
      req.on('data', (chunk) => {
        size += chunk.length
      })
      req.on('end', () => resolve(size))
    }),
  fetches: async (req) =>
    (await new Response(Readable.toWeb(req) as ReadableStream<Uint8Array>).arrayBuffer()).byteLength,
}

let handled = 0
const server = createServer(
  createDispatcher({
    oauth: (_req, res) => void res.end(),
    graphql: (_req, res) => void res.end(),
    mcp: (_req, res) => void res.end(),
    pages: async (req: IncomingMessage, res: ServerResponse) => {
      handled++
      const how = String(req.headers['x-read'] ?? 'iterates')
      res.end(`read ${await readers[how]?.(req)}`)
    },
  }),
)
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

const port = () => (server.address() as AddressInfo).port
const mebibyte = Buffer.alloc(1024 * 1024, 'x')

/**
 * Sends a body of the given size as clients do, and reads the response even if it arrives before the whole
 * body is sent.
 */
const post = (path: string, bytes: number, headers: Record<string, string | number>) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const req = request({ port: port(), host: '127.0.0.1', path, method: 'POST', headers }, (res) => {
      let text = ''
      res.on('data', (chunk) => {
        text += chunk
      })
      res.on('end', () => resolve({ status: Number(res.statusCode), text }))
    })
    // Reject with a delay, because the server can close the connection after it has responded.
    req.on('error', (error) => setTimeout(() => reject(error), 1_000))
    let left = bytes
    const send = () => {
      while (left > 0) {
        const part = mebibyte.subarray(0, Math.min(left, 65_536))
        left -= part.length
        if (!req.write(part)) return void req.once('drain', send)
      }
      req.end()
    }
    send()
  })

const types = [
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json',
  'text/plain',
]
const origin = new URL(config().BASE_URL).origin
const mb = 1024 * 1024

describe('a request body over the size limit of forms', () => {
  it.each(types.flatMap((type) => ['/login', '/workspaces', '/'].map((path) => [type, path] as const)))(
    'gets a 413 before a page receives it, with and without a Content-Length header (type %s, path %s)',
    async (type, path) => {
      handled = 0
      const lengths: Record<string, string | number>[] = [
        { 'content-length': 9 * mb },
        { 'transfer-encoding': 'chunked' },
      ]
      for (const length of lengths) {
        const { status, text } = await post(path, 9 * mb, { 'content-type': type, origin, ...length })
        expect(status).toBe(413)
        expect(text).toContain('1024 KiB')
      }
      expect(handled).toBe(0)
    },
  )

  it('gets a 413 if it is sent to a server action', async () => {
    const headers = { 'next-action': 'a'.repeat(40), 'content-type': 'text/plain', origin }
    expect((await post('/account', 2 * mb, { ...headers, 'content-length': 2 * mb })).status).toBe(413)
    expect((await post('/account', 2 * mb, { ...headers, 'transfer-encoding': 'chunked' })).status).toBe(413)
  })

  it('gets a 413 before the client sends the body, and the connection is closed', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port(), '127.0.0.1')
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk
        if (got.includes('</html>')) socket.end()
      })
      socket.on('close', () => resolve(got)).on('error', reject)
      socket.write('POST /login HTTP/1.1\r\nHost: a.test\r\nContent-Length: 99999999\r\n\r\n')
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is)
  })

  it('is passed to the handler of an image form, which has a larger limit', async () => {
    for (const path of ['/account/profile/picture', '/workspaces/acme/settings/developer/abc/logo']) {
      const type = { 'content-type': types[0] as string, origin }
      const { text } = await post(path, 5 * mb, { ...type, 'content-length': 5 * mb })
      expect(text).toBe(`read ${5 * mb}`)
      expect((await post(path, 40 * mb, { ...type, 'content-length': 40 * mb })).status).toBe(413)
    }
  })
})

it.each(Object.keys(readers).flatMap((how) => [0, 1, 70_000, mb].map((size) => [how, size] as const)))(
  'a handler that %s receives a complete body of %i bytes that has no Content-Length header',
  async (how, size) => {
    const { status, text } = await post('/login', size, { 'transfer-encoding': 'chunked', 'x-read': how })
    expect([status, text]).toEqual([200, `read ${size}`])
  },
)
