import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createElement } from 'react'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { signInPage } from '@/app/(auth)/sign-in-pages'
import { Providers } from '@/components/auth/providers'
import { config, resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { addressRules, ruleOf } from '@/lib/base/http/addresses'
import { csrfHeader } from '@/lib/base/http/visitor'
import { sayIn } from '@/lib/base/language/say'
import { setPagePolicy } from '@/lib/server/content-security-policy'
import { answerAuthPages, findPage, pages } from './answer'
import { providerButtons, refusedForm } from './auth-page'
import { forms } from './forms'

/** A page as Next renders it. */
const byNext =
  '<!DOCTYPE html><html lang="en" class="inter_1"><head><link rel="stylesheet" href="/a.css"/></head>' +
  '<body>by Next</body></html>'

let renderedByNext = 0
const answer = answerAuthPages((req, res) => {
  if (req.url === '/api/auth/csrf') {
    res.setHeader('set-cookie', ['csrf=1; Path=/', 'other=2; Path=/'])
    return void res.end(JSON.stringify({ csrfToken: `for ${req.headers.cookie}` }))
  }
  renderedByNext += 1
  res.setHeader('x-frame-options', 'DENY')
  res.setHeader('content-type', 'text/html')
  res.end(byNext)
})
const server = createServer((req, res) => {
  setPagePolicy(req, res, (req.url as string).split('?', 1)[0] as string)
  void answer(req, res)
})
const open = async (path: string, init?: RequestInit) => {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
  return { response, body: await response.text() }
}

/** Returns the route of a file below app/, without route groups. */
const routeOf = (file: string, end: string) =>
  `/${file.replaceAll('\\', '/')}`.replace(end, '').replace(/\/\([^)]+\)/g, '')

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(() => server.close())

it('the auth page handler itself renders an auth page, with the style sheet and headers of the Next.js build', async () => {
  const { response, body } = await open('/device?user_code=ABCD-EFGH&error=gone')
  expect(body).toContain('value="ABCD-EFGH"')
  expect(body).toContain('already used')
  expect(body).not.toContain('by Next')
  expect(body).toContain('<link rel="stylesheet" href="/a.css"/>')
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
})

it.each([
  [{ 'accept-language': 'en-US,en;q=0.9' }, 'en', 'ltr', 'Connect a device'],
  [{ 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }, 'de', 'ltr', 'Gerät verbinden'],
  [{ 'accept-language': 'de', cookie: 'a=b; latchkey.language=ar' }, 'ar', 'rtl', 'توصيل جهاز'],
  [{ cookie: 'latchkey.language=klingon' }, 'en', 'ltr', 'Connect a device'],
])(
  'an auth page chooses its language from the language cookie or the Accept-Language header: %o',
  async (headers, language, direction, title) => {
    const { response, body } = await open('/device', { headers: headers as Record<string, string> })
    expect(body).toContain(`<html lang="${language}" dir="${direction}"`)
    expect(body).toContain(`<title>${title} · Latchkey</title>`)
    expect(response.headers.get('content-language')).toBe(language)
    expect(response.headers.get('vary')).toContain('accept-language')
  },
)

it.each([
  ['latchkey.theme=dark', ' data-theme="dark"'],
  ['latchkey.theme="><script>', ''],
])(
  'an auth page uses the color scheme in the theme cookie only if the value is valid: %s',
  async (cookie, attribute) => {
    const { body } = await open('/device', { headers: { cookie } })
    expect(body).toMatch(new RegExp(`^<!DOCTYPE html><html lang="en" dir="ltr"${attribute} class=`))
  },
)

it('an auth page shows changed branding immediately, without being rendered by Next again', async () => {
  await open('/device')
  const before = renderedByNext
  setChangedSettings({ accentColor: '#0b7285', serviceName: 'Acme ID' })
  const { body } = await open('/device')
  setChangedSettings({})
  expect(body).toMatch(/style="--accent:light-dark\(#0b7285, .*<title>Connect a device · Acme ID</)
  expect(renderedByNext).toBe(before)
})

it('a sign-in page contains next-auth’s CSRF token and sets next-auth’s cookies only if the page has provider buttons', async () => {
  const show = vi.spyOn(signInPage, 'show')
  show.mockImplementation(async (visit) => ({
    say: sayIn('en'),
    title: 'A page',
    page: createElement(Providers, { providers: providerButtons(visit), next: '/account', say: sayIn('en') }),
  }))
  const forged = { headers: { [csrfHeader]: 'forged', cookie: 'a=b' } }
  const without = await open('/login', forged)
  expect(without.body).not.toContain('csrfToken')
  expect(without.response.headers.getSetCookie()).toEqual([])
  for (const name of ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']) vi.stubEnv(name, 'configured')
  resetConfig()
  const { response, body } = await open('/login', forged)
  vi.unstubAllEnvs()
  resetConfig()
  show.mockRestore()
  expect(body).toContain('action="/api/auth/signin/github"')
  expect(body).toContain('name="csrfToken" value="for a=b"')
  expect(body).toContain('name="callbackUrl" value="/account"')
  expect(response.headers.getSetCookie()).toEqual(['csrf=1; Path=/', 'other=2; Path=/'])
})

const refused = (error: string) =>
  refusedForm({ params: {}, query: { error }, headers: new Headers() }, sayIn('en'))

it('an auth page treats the name of a built-in object property as an unknown error code', async () => {
  const opened = await open('/device?error=constructor')
  expect(opened.response.status).toBe(200)
  expect(opened.body).toBe((await open('/device?error=other')).body)
  expect(refused('constructor')).toEqual(refused('other'))
})

it.each([
  ['suspended', 'This account is suspended'],
  ['refused', 'This account is suspended'],
  ['sso_required', 'Your organization requires single sign-on'],
  ['unverified_email', 'The other service didn’t confirm your email address'],
  ['sign_up_closed', 'Sign-up is disabled'],
  ['invitation_required', 'Sign-up requires an invitation'],
  ['domain_not_allowed', 'Sign-up is limited to certain email domains'],
])('the sign-in page explains the error code %s', (error, text) =>
  expect(refused(error)?.message).toContain(text),
)

it('an auth page uses the first supported language in ui_locales', async () => {
  expect((await open('/device?ui_locales=tlh+ja')).body).toContain('<html lang="ja"')
})

it('an auth page escapes query parameters', async () => {
  const { body } = await open(`/device?user_code=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(body).toContain('&quot;&gt;&lt;script&gt;')
  expect(body).not.toContain('<script>alert')
})

it.each([
  ['a request for another page', '/account/tokens', {}],
  ['a request from the client router', '/device', { headers: { rsc: '1' } }],
  ['a request for a path with a trailing slash', '/device/', {}],
  ['a form posted to a page', '/device', { method: 'POST' }],
  ['a form posted to a path with a trailing slash', '/login/submit/', { method: 'POST' }],
  ['a form posted in the console', '/account/profile', { method: 'POST' }],
])('the auth page handler passes %s on to Next', async (_what, path, init) =>
  expect((await open(path, init)).body).toContain('by Next'),
)

it('an auth page returns 503 with a link to try again if the database is unavailable', async () => {
  // Unit tests have no database.
  const { response, body } = await open('/interaction/abc?a=1', {
    headers: { cookie: '_interaction=abc; _interaction.sig=x' },
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toContain('<a href="/interaction/abc?a=1">Try again</a>')
})

it('the auth page handler passes requests on to Next if it cannot read the Next.js build', async () => {
  const answerLost = answerAuthPages((_req, res) => void res.writeHead(500).end('by Next'))
  const lost = createServer((req, res) => {
    setPagePolicy(req, res, '/device')
    void answerLost(req, res)
  })
  await new Promise<void>((listening) => lost.listen(0, '127.0.0.1', listening))
  const response = await fetch(`http://127.0.0.1:${(lost.address() as AddressInfo).port}/device`)
  lost.close()
  expect([response.status, await response.text()]).toEqual([500, 'by Next'])
})

const ours = { origin: config().BASE_URL, 'content-type': 'application/x-www-form-urlencoded' }

it('the auth page handler itself rejects a form from another site, and its response has security headers', async () => {
  const { response, body } = await open('/device/code', {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example' },
    body: new URLSearchParams({ user_code: 'ABCD-EFGH' }),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
  expect(body).toContain('This form wasn’t sent from this site')
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
})

it('the auth page handler returns 413 for a form that is too large, with or without a Content-Length header', async () => {
  for (const body of ['x'.repeat(300 * 1024), new Blob(['x'.repeat(300 * 1024)]).stream()]) {
    const sent = { method: 'POST', headers: ours, body, duplex: 'half' } as RequestInit
    expect((await open('/device/code', sent)).response.status).toBe(413)
  }
})

it('a sign-in form returns 503 with a link to the sign-in page if the database is unavailable', async () => {
  // Unit tests have no database.
  const { response, body } = await open('/login/submit', {
    method: 'POST',
    headers: ours,
    body: new URLSearchParams({ email: 'ada@example.test', password: 'a secret', next: '/account' }),
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toContain('href="/login?')
  expect(response.headers.getSetCookie()).toHaveLength(1)
})

it('every form in the form table has a route.ts, and every form route without scripts is in the table', () => {
  const routes = fs
    .readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/route.ts'))
    .map((file) => ({ route: routeOf(file, '/route.ts'), source: fs.readFileSync(`app/${file}`, 'utf8') }))
    .filter(({ route }) => ruleOf(route).withoutScripts)
    .filter(({ source }) => !/routeFor(<\w+>)?\(\s*'GET'/.test(source))
  expect(routes.map(({ route }) => route).sort()).toEqual(Object.keys(forms).sort())
  for (const { route, source } of routes) expect(source).toContain(`formRoute('${route}')`)
})

it('the two-factor sign-in page redirects visitors without a pending sign-in to the sign-in page', async () => {
  const { response, body } = await open('/login/verify?next=/account/tokens')
  expect([response.status, response.headers.get('location'), body]).toEqual([
    307,
    '/login?next=%2Faccount%2Ftokens',
    '',
  ])
  expect(response.headers.get('x-frame-options')).toBe('DENY')
})

it('every page in the route table has a page.tsx, and every page without scripts is in the table', () => {
  const routes = fs
    .readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) => routeOf(file, '/page.tsx'))
  expect(Object.keys(pages).sort()).toEqual(routes.filter((route) => ruleOf(route).withoutScripts).sort())
  for (const { path, withoutScripts } of addressRules) {
    if (!withoutScripts) expect(findPage(path)).toBeUndefined()
  }
})

it('a lookup in the route table returns the values of dynamic segments, or nothing for an unknown path', () => {
  expect(findPage('/interaction/a-B_1')).toMatchObject({ params: { uid: 'a-B_1' } })
  expect(['/interaction', '/interaction/a/b', '/interaction/%41', '/toString'].map(findPage)).toEqual(
    Array(4).fill(undefined),
  )
})
