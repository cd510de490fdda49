import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { goesWithoutScripts, sendWithoutScripts, withoutFrameworkScripts } from './without-scripts'

const page =
  '<html><head><link rel="preload" as="script" href="/_next/static/a.js"/><link rel="stylesheet" href="/_next/a.css"/>' +
  '<script src="/_next/static/a.js" async="" nonce="n"></script></head><body><form></form>' +
  '<script src="/picker.js" defer=""></script><script nonce="n">self.__next_f.push([1,"<b>\\u003c/script>"])</script></body></html>'

async function fetchFrom(listener: RequestListener, headers: Record<string, string> = {}) {
  const server = createServer((request, response) => {
    sendWithoutScripts(request, response)
    listener(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, ready))
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/login`, {
      headers,
    })
    return { response, body: await response.text() }
  } finally {
    server.close()
  }
}

it('takes out the scripts of the framework and leaves ours', () => {
  const html = withoutFrameworkScripts(page)
  expect(html).toBe(
    '<html><head><link rel="stylesheet" href="/_next/a.css"/></head><body><form></form><script src="/picker.js" defer=""></script></body></html>',
  )
})

it.each([
  ['GET', '/login', true],
  ['GET', '/interaction/abc', true],
  ['POST', '/login/submit', false],
  ['GET', '/account/tokens', false],
  ['GET', '/devices', false],
])('%s %s goes without scripts: %s', (method, path, without) =>
  expect(goesWithoutScripts(method, path)).toBe(without),
)

it('sends a streamed page in one piece, compressed', async () => {
  const { response, body } = await fetchFrom((request, reply) => {
    expect(request.headers['accept-encoding']).toBeUndefined()
    reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    reply.write(page.slice(0, 200))
    reply.end(page.slice(200) + 'x'.repeat(2000))
  })
  expect(body).not.toContain('__next_f')
  expect(response.headers.get('content-encoding')).toBe('gzip')
})

it('leaves redirects, data and server errors alone', async () => {
  const failed = await fetchFrom((_request, reply) => {
    reply.statusCode = 500
    reply.setHeader('content-type', 'text/html')
    reply.end(page)
  })
  expect(failed.body).toBe(page)
  const data = await fetchFrom(
    (_request, reply) => {
      reply.setHeader('content-type', 'text/x-component')
      reply.end('0:{}')
    },
    { rsc: '1' },
  )
  expect(data.body).toBe('0:{}')
})
