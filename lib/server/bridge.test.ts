import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { mount } from './bridge'

it('the bridge stops reading a body that is larger than any handler allows', async () => {
  let pulled = 0
  const chunk = new Uint8Array(64 * 1024)
  const body = new ReadableStream({
    pull(to) {
      pulled += chunk.length
      to.enqueue(chunk)
    },
  })
  const handler = async (req: IncomingMessage, res: ServerResponse) => {
    let size = 0
    for await (const part of req) size += (part as Buffer).length
    res.statusCode = size > 128 * 1024 ? 413 : 200
    res.end()
  }
  const request = new Request('http://x/oauth/token', { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect((await mount(handler).POST(request)).status).toBe(413)
  expect(pulled).toBeLessThan(1024 * 1024)
})

it('the bridge streams events as they are written and ends the response when the reader cancels', async () => {
  let ended = false
  let write = (_text: string) => {}
  const handler = (_req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.once('close', () => {
      ended = true
    })
    write = (text) => res.write(text)
    write('event: one\n\n')
  }
  const headers = { accept: 'text/event-stream' }
  const response = await mount(handler).POST(new Request('http://x/graphql/v2', { method: 'POST', headers }))
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await read()).toBe('event: one\n\n')
  write('event: two\n\n')
  expect(await read()).toBe('event: two\n\n')
  expect(ended).toBe(false)
  await reader.cancel()
  await expect.poll(() => ended).toBe(true)
})

it('the bridge sends a complete response if the handler does not stream', async () => {
  const handler = (_req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(400, { 'content-type': 'application/json' }).end('{"errors":[]}')
  }
  const headers = { accept: 'text/event-stream' }
  const response = await mount(handler).POST(new Request('http://x/graphql/v2', { method: 'POST', headers }))
  expect([response.status, await response.json()]).toEqual([400, { errors: [] }])
})
