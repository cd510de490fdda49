import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { captureLog } from '@/lib/testing/captured-log'
import { attach, createHttpServer } from './http-server'

const server = createHttpServer()
attach(server, (_req, res) => {
  res.end('fine')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

const send = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
  })

it.each([
  ['no HTTP at all', 'hello\r\n\r\n', '400 Bad Request'],
  ['a header that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431 '],
  ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', '405 Method Not Allowed'],
])('names also a request that is %s', async (_what, bytes, status) => {
  const answer = await send(bytes)
  expect(answer.startsWith(`HTTP/1.1 ${status}`)).toBe(true)
  expect(answer).toMatch(/^x-request-id: [0-9a-f]{20}\r$/m)
})

it('is told under that name to those who look for it', async () => {
  const log = captureLog()
  const answer = await send('hello\r\n\r\n')
  log.release()
  const [, id] = /^x-request-id: (\w+)/m.exec(answer) ?? []
  expect(log.entries()).toMatchObject([
    { level: 'debug', msg: 'a request could not be read', requestId: id, status: 400 },
  ])
  expect(log.text()).not.toContain('hello')
})
