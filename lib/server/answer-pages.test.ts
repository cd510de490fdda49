import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { NextRequest } from 'next/server'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { sealToken } from '@/lib/base/credentials/seal'
import {
  readSessionToken,
  sessionCookie,
  sessionSeconds,
} from '@/lib/features/identity/sessions/session-cookie'
import { captureLog } from '@/lib/testing/captured-log'
import { proxy } from '@/proxy'
import { notePageError, renewSession, reportPageOutage } from './answer-pages'

/** Returns the response that a client gets for a page that fails inside Next. */
async function failing(error: Error): Promise<[number, string | null, string]> {
  const server = createServer((_req, res) => {
    reportPageOutage(res)
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

it('a page returns 500 if its code fails, and 503 with Retry-After during a database outage', async () => {
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

const keys = { a: '3f9c1b7e5a2d8046e1c7b39f0d5a6284', b: 'b81f4e6d0c93a752f5e82d7b164c0a39' }

function use(key: keyof typeof keys, previous?: keyof typeof keys): void {
  process.env.SECRET_KEY = keys[key]
  process.env.SECRET_KEY_PREVIOUS = previous ? keys[previous] : ''
  resetConfig()
}
afterEach(() => {
  delete process.env.SECRET_KEY_PREVIOUS
})

/**
 * Functions that return the Set-Cookie values that a browser receives after it sends a cookie: for the custom
 * server, and for Next alone.
 */
const mounts = {
  async server(cookie: string, accept = 'text/html,*/*') {
    const req = Object.assign(new IncomingMessage(new Socket()), {
      method: 'GET',
      headers: { accept, cookie },
    })
    const res = new ServerResponse(req)
    await renewSession(req, res)
    return [res.getHeader('set-cookie') ?? []].flat().map(String)
  },
  async proxy(cookie: string) {
    const url = 'http://localhost:3000/account'
    return (await proxy(new NextRequest(url, { headers: { cookie } }))).headers.getSetCookie()
  },
}

/** Returns a session cookie as release 2.0 encrypted it. */
const sealed = (token: object) =>
  `latchkey.session-token=${sealToken(JSON.stringify(token), 'browser-session')}`

describe.each(Object.entries(mounts))('a page served by the %s', (_mount, visit) => {
  const token = { sub: 'ada', sid: 'one' }

  it.each([
    ['', async () => (await sessionCookie(token)).split(';', 1)[0] as string],
    [' of an earlier release', async () => sealed(token)],
  ])('replaces only a session cookie%s that a former key encrypted', async (_of, encrypt) => {
    use('a')
    const old = await encrypt()
    expect(await visit(old)).toEqual([])
    use('b', 'a')
    expect(await visit('latchkey.session-token=forged')).toEqual([])
    const [fresh = ''] = ((await visit(old))[0] ?? '').split(';')
    expect(await visit(fresh)).toEqual([])
    use('b')
    expect(await readSessionToken(fresh.split('=')[1])).toEqual(token)
    expect(await readSessionToken(old.split('=')[1])).toBeUndefined()
  })
})

it('a session cookie is rejected after its lifetime, even if the server accepted it earlier', async () => {
  use('a')
  const [, value] = ((await sessionCookie({ sub: 'ada', sid: 'one' })).split(';')[0] ?? '').split('=')
  expect(await readSessionToken(value)).toEqual({ sub: 'ada', sid: 'one' })
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.now() + (sessionSeconds() + 60) * 1000)
  expect(await readSessionToken(value)).toBeUndefined()
})

it('an image request does not renew the session cookie', async () => {
  use('a')
  const [old = ''] = (await sessionCookie({ sub: 'ada', sid: 'one' })).split(';')
  use('b', 'a')
  expect(await mounts.server(old, 'image/*')).toEqual([])
})
