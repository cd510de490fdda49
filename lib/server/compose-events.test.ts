import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { readSessionToken, sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { renewSession } from './compose-events'

const keys = { a: '3f9c1b7e5a2d8046e1c7b39f0d5a6284', b: 'b81f4e6d0c93a752f5e82d7b164c0a39' }

function use(key: keyof typeof keys, previous?: keyof typeof keys): void {
  process.env.SECRET_KEY = keys[key]
  process.env.SECRET_KEY_PREVIOUS = previous ? keys[previous] : ''
  resetConfig()
}
afterEach(() => {
  delete process.env.SECRET_KEY_PREVIOUS
})

/** What a page's answer sets when a browser brings a cookie. */
function visit(cookie: string, accept = 'text/html,*/*') {
  const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', headers: { accept, cookie } })
  const res = new ServerResponse(req)
  renewSession(req, res)
  return res.getHeader('set-cookie') as string | undefined
}

it('seals the cookie of a former key anew when a page is opened, and no other cookie', async () => {
  const token = { sub: 'ada', sid: 'one' }
  use('a')
  const [old = ''] = sessionCookie(token).split(';')
  expect(visit(old)).toBeUndefined()
  use('b', 'a')
  expect(visit(old, 'image/*')).toBeUndefined()
  expect(visit('latchkey.session-token=forged')).toBeUndefined()
  const [fresh = ''] = (visit(old) ?? '').split(';')
  expect(visit(fresh)).toBeUndefined()
  use('b')
  expect(await readSessionToken(fresh.split('=')[1])).toEqual(token)
  expect(await readSessionToken(old.split('=')[1])).toBeUndefined()
})
