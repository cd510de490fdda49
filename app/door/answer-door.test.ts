import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { addressRules, ruleOf } from '@/lib/base/http/addresses'
import { sayIn } from '@/lib/base/language/say'
import { setPagePolicy } from '@/lib/server/content-security-policy'
import { answerDoor } from './answer-door'
import { doorForms } from './door-forms'
import { refusedForm } from './door-page'
import { doorPages, findDoorPage } from './door-pages'

/** What stands in for Next: it draws a frame, and says for every other page that it was asked. */
const next = (title: string) =>
  `<!DOCTYPE html><html lang="en"><head>${title}<meta name="referrer" content="origin"/></head><body>by Next</body></html>`

const answer = answerDoor((_req, res) => {
  res.setHeader('x-frame-options', 'DENY')
  res.setHeader('content-type', 'text/html')
  res.end(next('<title>Connect a device · Latchkey</title>'))
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

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(() => server.close())

it('draws a page at the door by itself, in the frame and with the headers of Next', async () => {
  const { response, body } = await open('/device?user_code=ABCD-EFGH&error=gone')
  expect(body).toContain('value="ABCD-EFGH"')
  expect(body).toContain('already used')
  expect(body).not.toContain('by Next')
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
})

it.each([
  [{ 'accept-language': 'en-US,en;q=0.9' }, 'en', 'ltr', 'Connect a device'],
  [{ 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }, 'de', 'ltr', 'Gerät verbinden'],
  [{ 'accept-language': 'de', cookie: 'a=b; latchkey.language=ar' }, 'ar', 'rtl', 'توصيل جهاز'],
  [{ cookie: 'latchkey.language=klingon' }, 'en', 'ltr', 'Connect a device'],
])('speaks to %o', async (headers, language, direction, title) => {
  const { response, body } = await open('/device', { headers: headers as Record<string, string> })
  expect(body).toContain(`<html lang="${language}" dir="${direction}"`)
  expect(body).toContain(`<title>${title} · Latchkey</title>`)
  expect(response.headers.get('content-language')).toBe(language)
  expect(response.headers.get('vary')).toContain('accept-language')
})

it.each([
  ['latchkey.theme=dark', ' data-theme="dark"'],
  ['latchkey.theme="><script>', ''],
])('wears the colours chosen in the console, and nothing else: %s', async (cookie, said) => {
  const { body } = await open('/device', { headers: { cookie } })
  expect(body).toMatch(new RegExp(`^<!DOCTYPE html><html lang="en" dir="ltr"${said}>`))
})

it('wears the colour that an operator has just chosen', async () => {
  let drawn = 0
  const answering = answerDoor((_req, res) => {
    drawn += 1
    res.end(
      next(`<title>x</title>`).replace('<html lang="en"', `<html lang="en" style="${config().ACCENT_COLOR}"`),
    )
  })
  const restyled = createServer((req, res) => {
    setPagePolicy(req, res, '/device')
    void answering(req, res)
  })
  await new Promise<void>((listening) => restyled.listen(0, '127.0.0.1', listening))
  const look = async () =>
    (await fetch(`http://127.0.0.1:${(restyled.address() as AddressInfo).port}/device`)).text()
  expect(await look()).toContain('style="#4f46e5"')
  setChangedSettings({ ACCENT_COLOR: '#0b7285', SERVICE_NAME: 'Acme ID' })
  const after = [await look(), await look()]
  setChangedSettings({})
  restyled.close()
  for (const page of after) expect(page).toMatch(/style="#0b7285".*<title>Connect a device · Acme ID</)
  expect(drawn).toBe(2)
})

it('takes no code for one of ours that is only a name every object has', async () => {
  const opened = await open('/device?error=constructor')
  expect(opened.response.status).toBe(200)
  expect(opened.body).toBe((await open('/device?error=other')).body)
  const refused = (error: string) =>
    refusedForm({ params: {}, query: { error }, headers: new Headers() }, sayIn('en'))
  expect(refused('constructor')).toEqual(refused('other'))
})

it('speaks as the address asks', async () => {
  expect((await open('/device?ui_locales=tlh+ja')).body).toContain('<html lang="ja"')
})

it('shows what was typed as text', async () => {
  const { body } = await open(`/device?user_code=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(body).toContain('&quot;&gt;&lt;script&gt;')
  expect(body).not.toContain('<script>alert')
})

it.each([
  ['another page', '/account/tokens', {}],
  ['the client router', '/device', { headers: { rsc: '1' } }],
  ['a question about a page', '/device/', {}],
  ['a form sent to a page', '/device', { method: 'POST' }],
  ['a form sent to an odd address', '/login/submit/', { method: 'POST' }],
  ['a form of the console', '/account/profile', { method: 'POST' }],
])('leaves %s to Next', async (_what, path, init) =>
  expect((await open(path, init)).body).toContain('by Next'),
)

it('says at once that the database is away, with a way back', async () => {
  // The unit tests have none.
  const { response, body } = await open('/interaction/abc?a=1', {
    headers: { cookie: '_interaction=abc; _interaction.sig=x' },
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toContain('<a href="/interaction/abc?a=1">Try again</a>')
})

it('leaves every page to Next where it does not understand what Next draws', async () => {
  const answerLost = answerDoor((_req, res) => void res.writeHead(500).end('by Next'))
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

it('takes a form of the door by itself, with the headers of Next', async () => {
  const { response, body } = await open('/device/code', {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example' },
    body: new URLSearchParams({ user_code: 'ABCD-EFGH' }),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
  expect(body).toContain('This form wasn’t sent from here')
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
})

it('refuses a form that is too long, and the connection goes on', async () => {
  for (const body of ['x'.repeat(300 * 1024), new Blob(['x'.repeat(300 * 1024)]).stream()]) {
    const sent = { method: 'POST', headers: ours, body, duplex: 'half' } as RequestInit
    expect((await open('/device/code', sent)).response.status).toBe(413)
  }
})

it('says at once that a form cannot be taken while the database is away, and keeps each cookie', async () => {
  // The unit tests have none.
  const { response, body } = await open('/login/submit', {
    method: 'POST',
    headers: ours,
    body: new URLSearchParams({ email: 'ada@example.test', password: 'a secret', next: '/account' }),
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toContain('href="/login?')
  expect(response.headers.getSetCookie()).toHaveLength(1)
})

it('knows every form of the pages at the door, and no other', () => {
  const routes = fs
    .readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('route.ts'))
    .filter((file) => /routeFor\(\s*'POST'/.test(fs.readFileSync(`app/${file}`, 'utf8')))
    .map((file) => `/${file.replaceAll('\\', '/')}`.replace('/route.ts', '').replace(/\/\([^)]+\)/g, ''))
  expect(Object.keys(doorForms).sort()).toEqual(routes.filter((route) => ruleOf(route).withoutScripts).sort())
})

it('sends on whoever has nothing to do here', async () => {
  const { response, body } = await open('/login/verify?next=/account/tokens')
  expect([response.status, response.headers.get('location'), body]).toEqual([
    307,
    '/login?next=%2Faccount%2Ftokens',
    '',
  ])
  expect(response.headers.get('x-frame-options')).toBe('DENY')
})

it('knows every page that goes without scripts, and no other', () => {
  const pages = fs
    .readdirSync('app', { recursive: true, encoding: 'utf8' })
    .map((file) => `/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) => file.replace('/page.tsx', '').replace(/\/\([^)]+\)/g, ''))
  expect(Object.keys(doorPages).sort()).toEqual(pages.filter((page) => ruleOf(page).withoutScripts).sort())
  for (const { path, withoutScripts } of addressRules) {
    if (!withoutScripts) expect(findDoorPage(path)).toBeUndefined()
  }
})

it('finds what stands in the place of a folder in brackets', () => {
  expect(findDoorPage('/interaction/a-B_1')).toMatchObject({ params: { uid: 'a-B_1' } })
  expect(['/interaction', '/interaction/a/b', '/interaction/%41', '/toString'].map(findDoorPage)).toEqual(
    Array(4).fill(undefined),
  )
})
