import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { captureLog } from '@/lib/testing/captured-log'
import { notePageError, tellPageOutage } from './answer-pages'

/** What a client sees of a page that fails as Next lets it fail. */
async function failing(error: Error): Promise<[number, string | null, string]> {
  const server = createServer((_req, res) => {
    tellPageOutage(res)
    notePageError(error)
    res.statusCode = 500
    res.end('the page for errors')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const seen: [number, string | null, string] = [
    answer.status,
    answer.headers.get('retry-after'),
    await answer.text(),
  ]
  server.close()
  return seen
}

it('a page that failed of a defect is a 500, one that failed of an outage a 503 that says when to try again', async () => {
  const log = captureLog()
  expect(await failing(new TypeError('x is undefined'))).toEqual([500, null, 'the page for errors'])
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(await failing(away)).toEqual([503, '5', 'the page for errors'])
  log.release()
  expect(log.entries().map(({ level, msg }) => [level, msg])).toEqual([
    ['error', 'a page failed'],
    ['warn', 'the database does not answer'],
  ])
})
