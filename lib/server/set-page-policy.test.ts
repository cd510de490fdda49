import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { setPagePolicy } from './set-page-policy'

function policiesOf(path: string) {
  const req = new IncomingMessage(new Socket())
  req.headers['content-security-policy'] = "script-src 'nonce-chosen'"
  const res = new ServerResponse(req)
  setPagePolicy(req, res, path)
  return { forNext: req.headers['content-security-policy'], sent: res.getHeader('content-security-policy') }
}

it.each(['/', '/login', '/account/tokens/new', '/interaction/a_B-9'])(
  'gives %s a policy, and Next the same',
  (path) => {
    const { forNext, sent } = policiesOf(path)
    expect(sent).toMatch(/^default-src 'self'; script-src 'self' 'nonce-[\w+/]{22}=='/)
    expect(forNext).toBe(sent)
  },
)

it('uses a nonce once', () => {
  expect(policiesOf('/login').sent).not.toBe(policiesOf('/login').sent)
})

it.each([
  '/login/',
  '//login',
  '/a/../login',
  '/log%69n',
  '/picker.js',
  '/_next/static/a',
  '/_next/image',
  '/brand/login-with-light',
  '/healthz',
  '/readyz',
])('leaves %s to the proxy, whatever policy the client names', (path) => {
  expect(policiesOf(path)).toEqual({ forNext: undefined, sent: undefined })
})
