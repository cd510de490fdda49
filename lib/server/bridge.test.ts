import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { mount } from './bridge'

it('reads no further than any handler would, and says so by the answer of the handler', async () => {
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
