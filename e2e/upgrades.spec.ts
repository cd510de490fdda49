import { exchange } from './support/raw-exchange'
import { expect, test } from './support/test'

const offers = [
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\n',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n',
]

const get = (base: string, path: string, offer: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(base).host}\r\n${offer}\r\n`

test('a client that offers a protocol upgrade and disconnects leaves no open socket @mounts', async ({
  baseURL,
}) => {
  const base = String(baseURL)
  for (const path of ['/_next/webpack-hmr', '/_next/hmr', '//x/y', '/nothing-here', '/favicon.ico']) {
    for (const offer of offers) {
      const request = get(base, path, offer)
      // Each exchange waits until the server closes its end.
      await Promise.all(Array.from({ length: 20 }, () => exchange(base, request, 'at once')))
    }
  }
  expect(await exchange(base, get(base, '/healthz', ''), 'once answered')).toMatch(/^HTTP\/1\.1 200 /)
})

test('a client that offers a protocol upgrade gets a response over HTTP/1.1 @mounts', async ({ baseURL }) => {
  const base = String(baseURL)
  const paths = [
    '/healthz',
    '/oauth/jwks',
    '/oauth/.well-known/openid-configuration',
    '/login',
    '/_next/hmr',
    '//x',
  ]
  for (const path of paths) {
    for (const offer of offers) {
      const answer = await exchange(base, get(base, path, offer), 'once answered')
      expect(answer, path).toMatch(/^HTTP\/1\.1 (200|30[278]|404) /)
    }
  }
})
