import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Suite } from './suite'

/** Log entries as the suite's REST API returns them. */
const response = (status: string, headers: Record<string, string> = {}) => ({
  http: 'response',
  response_status_code: status,
  response_headers: headers,
})

describe('the REST client of the conformance suite', () => {
  let server: Server
  afterEach(() => {
    server.close()
  })

  async function suiteWithLog(log: object[]): Promise<Suite> {
    server = createServer((_req, res) => res.end(JSON.stringify(log)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new Suite(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }

  it('returns the longest Retry-After time of all 429 responses', async () => {
    const suite = await suiteWithLog([
      response('429 TOO_MANY_REQUESTS', { 'retry-after': '7' }),
      response('429 TOO_MANY_REQUESTS', { 'retry-after': '42' }),
      response('503 SERVICE_UNAVAILABLE', { 'retry-after': '90' }),
    ])
    expect(await suite.retryAfter('module')).toBe(42)
  })

  it('returns 60 seconds if a 429 response has no Retry-After header', async () => {
    const suite = await suiteWithLog([response('429 TOO_MANY_REQUESTS')])
    expect(await suite.retryAfter('module')).toBe(60)
  })

  it('returns undefined if the product never responded with 429', async () => {
    const suite = await suiteWithLog([response('201 CREATED'), { msg: 'checked' }])
    expect(await suite.retryAfter('module')).toBeUndefined()
  })

  it('returns the placeholders that have no image yet', async () => {
    const suite = await suiteWithLog([{ upload: 'first', img: 'data:' }, { upload: 'second' }])
    expect(await suite.missingImages('module')).toEqual(['second'])
  })
})
