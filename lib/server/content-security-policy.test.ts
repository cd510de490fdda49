import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { contentSecurityPolicy, setPagePolicy } from './content-security-policy'

it.each(['/login', '/signup', '/interaction/abc', '/device', '/logout'])(
  'the policy allows the forms of %s to redirect to a client',
  (path) => {
    expect(contentSecurityPolicy({ path, nonce: 'n' })).not.toContain('form-action')
  },
)

it.each(['/', '/account/tokens', '/devices', '/workspaces/login'])(
  'the policy limits the forms of %s to this origin',
  (path) => {
    expect(contentSecurityPolicy({ path, nonce: 'n' })).toContain("form-action 'self'")
  },
)

it('the policy allows inline scripts only with the nonce, and neither eval nor framing', () => {
  const policy = contentSecurityPolicy({ path: '/', nonce: 'abc' })
  expect(policy).toContain("script-src 'self' 'nonce-abc';")
  expect(policy).not.toContain('eval')
  expect(policy).toContain("frame-ancestors 'none'")
})

it('the policy allows embedded fonts only on the explorer page', () => {
  expect(contentSecurityPolicy({ path: '/graphql/explorer', nonce: 'n' })).toContain("font-src 'self' data:;")
  expect(contentSecurityPolicy({ path: '/graphql', nonce: 'n' })).toContain("font-src 'self';")
})

it.each(['/interaction/abc', '/device', '/device/confirm'])(
  'the policy allows only the instance’s logo as an external image on %s',
  (path) => {
    expect(contentSecurityPolicy({ path, nonce: 'n' })).toContain("img-src 'self' data:;")
    const logoUrls = [
      'https://cdn.example/brand/logo.svg',
      'https://cdn.example/dark.svg',
      '/own.svg',
      undefined,
    ]
    expect(contentSecurityPolicy({ path, nonce: 'n', logoUrls })).toContain(
      "img-src 'self' data: https://cdn.example;",
    )
    setChangedSettings({ logoDarkUrl: 'https://dark.example/logo.svg' })
    expect(contentSecurityPolicy({ path, nonce: 'n' })).toContain(
      "img-src 'self' data: https://dark.example;",
    )
    setChangedSettings({})
  },
)

it('the policy omits a logo host that contains characters that would end a source or a directive', () => {
  const of = (...logoUrls: string[]) =>
    contentSecurityPolicy({ path: '/interaction/abc', nonce: 'n', logoUrls })
  for (const url of ['https://a;sandbox/x', 'https://a,b/x', "https://a'b/x", 'https://*/x'])
    expect(of(url)).toContain("img-src 'self' data:;")
  expect(of('https://a;sandbox/x', 'https://[::1]:8443/x', 'https://BÜCHER.example/x')).toContain(
    "img-src 'self' data: https://[::1]:8443 https://xn--bcher-kva.example;",
  )
})

function policiesOf(path: string) {
  const req = new IncomingMessage(new Socket())
  req.headers['content-security-policy'] = "script-src 'nonce-chosen'"
  const res = new ServerResponse(req)
  setPagePolicy(req, res, path)
  return { forNext: req.headers['content-security-policy'], sent: res.getHeader('content-security-policy') }
}

it.each(['/', '/login', '/account/tokens/new', '/interaction/a_B-9'])(
  'the policy sent for %s is also passed to Next',
  (path) => {
    const { forNext, sent } = policiesOf(path)
    expect(sent).toMatch(/^default-src 'self'; script-src 'self' 'nonce-[\w+/]{22}=='/)
    expect(forNext).toBe(sent)
  },
)

it('two responses have different nonces', () => {
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
])('setPagePolicy sets no policy for %s, and removes the client’s policy header', (path) => {
  expect(policiesOf(path)).toEqual({ forNext: undefined, sent: undefined })
})
