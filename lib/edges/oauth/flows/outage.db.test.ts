import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { toUserError } from '@/lib/base/http/answers'
import { log } from '@/lib/base/log/log'
import { signIn } from '@/lib/features/identity/users/sign-in'
import { makeAccessToken } from '@/lib/testing/access-token'
import { openBreakableDatabasePath } from '@/lib/testing/database-path'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { openConsent } from '@/lib/testing/oauth-consent'
import { authorizeUrl, refresh, requestToken } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const path = await openBreakableDatabasePath(10)
const { server, owner, web } = await startOAuthWorld()
const api = serveGraphQL()
afterAll(() => path.close())

/** Returns the parts of a response that distinguish an outage from a programming error. */
const summaryOf = async (response: Response) => [
  response.status,
  response.headers.get('retry-after'),
  await response.json(),
]
const unavailable = [503, '5', { error: 'temporarily_unavailable', error_description: expect.any(String) }]
const json = { accept: 'application/json' }

let token = ''
let consent = ''
beforeAll(async () => {
  token = (await makeAccessToken(owner.user, ['openid', 'workspace:viewer'])).token
  expect((await api.execute(token, '{ me { id } }')).status).toBe(200)
  expect((await server.fetch('/oauth/jwks')).status).toBe(200)
  vi.spyOn(log, 'warn').mockImplementation(() => {})
  consent = await openConsent(owner.browser, web)
  path.become('refused')
})

it('during a database outage, the server answers OAuth requests with temporarily_unavailable and Retry-After', async () => {
  const { status, body, headers } = await refresh(web, 'lk_rt_unknown-but-well-formed-0123456789abcdef')
  expect([status, headers.get('retry-after'), body]).toEqual(unavailable)
  const code = await requestToken(web, {
    grant_type: 'authorization_code',
    code: 'x',
    redirect_uri: web.redirectUri,
  })
  expect([code.status, code.headers.get('retry-after'), code.body]).toEqual(unavailable)
  expect(
    await summaryOf(await server.fetch('/oauth/me', { headers: { authorization: `Bearer ${token}` } })),
  ).toEqual(unavailable)
  expect(await summaryOf(await fetch(authorizeUrl(web), { headers: json }))).toEqual(unavailable)
})

it('during a database outage, the server shows an error page in the browser', async () => {
  const page = await fetch(authorizeUrl(web), { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await page.text()).toContain('try again shortly')
})

it('during a database outage, the consent page keeps the user’s selection and reports the outage in the user’s language', async () => {
  const selected = [owner.workspace.id, owner.project.id]
  const answer = await owner.browser.submit(
    `${consent}/decision`,
    [
      ['decision', 'authorize'],
      ['workspace', selected[0] as string],
      ['project', selected[1] as string],
    ],
    { 'accept-language': 'de' },
  )
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  const page = await answer.text()
  expect(page).toContain(`href="${consent}?selected=${selected.join('+')}"`)
  expect(page).toContain('Der Dienst kann zurzeit nicht antworten.')
})

it('during a database outage, the server still serves its public keys and metadata', async () => {
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
  try {
    expect((await server.fetch('/oauth/jwks')).status).toBe(200)
    expect((await server.fetch('/oauth/.well-known/openid-configuration')).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})

it('during a database outage, the server answers API requests with SERVICE_UNAVAILABLE and 503', async () => {
  const { status, headers, errors } = await api.execute(token, '{ me { id } }')
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(errors?.map(({ extensions }) => extensions)).toEqual([
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 }),
  ])
})

it('during a database outage, a sign-in fails with SERVICE_UNAVAILABLE', async () => {
  const error = await signIn(
    { ip: '192.0.2.1' },
    { email: owner.user.email, password: 'x'.repeat(12) },
  ).catch((thrown) => thrown)
  expect(toUserError(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfter: 5 } })
})

it('after a database outage, the server works again', async () => {
  path.become('open')
  const answer = await owner.browser.submit(`${consent}/decision`, [['decision', 'authorize']])
  expect(answer.headers.get('location')).toContain('code=')
  expect((await api.execute(token, '{ me { id } }')).status).toBe(200)
  expect((await fetch(`${config().BASE_URL}/oauth/jwks`)).status).toBe(200)
})
