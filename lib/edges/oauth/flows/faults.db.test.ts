import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { endConnections } from '@/lib/base/db/pool'
import { toUserError } from '@/lib/base/http/answers'
import { signIn } from '@/lib/features/identity/users/sign-in'
import { makeAccessToken } from '@/lib/testing/access-token'
import type { BreakablePath } from '@/lib/testing/breakable-path'
import { captureLog } from '@/lib/testing/captured-log'
import { startFamily } from '@/lib/testing/cluster-family'
import { openBreakableDatabasePath } from '@/lib/testing/database-path'
import { connectWith } from '@/lib/testing/fresh-process'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { openConsent, submitConsent } from '@/lib/testing/oauth-consent'
import {
  authorizeUrl,
  codeGrant,
  offline,
  refresh,
  requestToken,
  signInToApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'

// A separate PostgreSQL with durable writes, because these tests break it.
const dir = makeTemporaryData()
const family = await startFamily(dir)
const { primary } = family
await migrate(primary.url, readMigrations('prisma/migrations'))
delete process.env.DATABASE_DIRECT_URL
/** A timeout that is short, but long enough for a busy disk to write data. */
const direct = { DATABASE_URL: primary.url, DATABASE_TIMEOUT: '3' }
await connectWith(direct)
const { server, owner, web, cli } = await startOAuthWorld()
const { release } = captureLog()
afterAll(async () => {
  release()
  await endConnections().catch(() => undefined)
  await family.end()
  removeTemporaryData(dir)
})

describe('an unreachable database', () => {
  const api = serveGraphQL()

  /** Returns the parts of a response that distinguish an outage from a programming error. */
  const summaryOf = async (response: Response) => [
    response.status,
    response.headers.get('retry-after'),
    await response.json(),
  ]
  const unavailable = [503, '5', { error: 'temporarily_unavailable', error_description: expect.any(String) }]
  const json = { accept: 'application/json' }

  let path: BreakablePath
  let token = ''
  let consent = ''
  beforeAll(async () => {
    path = await openBreakableDatabasePath(10)
    token = (await makeAccessToken(owner.user, ['openid', 'workspace:viewer'])).token
    expect((await api.execute(token, '{ me { id } }')).status).toBe(200)
    expect((await server.fetch('/oauth/jwks')).status).toBe(200)
    consent = await openConsent(owner.browser, web)
    path.become('refused')
  })
  afterAll(async () => {
    await connectWith(direct)
    path.close()
  })

  it('during a database outage, the server answers OAuth requests with temporarily_unavailable and Retry-After', async () => {
    const { status, body, headers } = await refresh(web, 'lk_rt_unknown-but-well-formed-0123456789abcdef')
    expect([status, headers.get('retry-after'), body]).toEqual(unavailable)
    const code = await requestToken(web, codeGrant(web, 'x'))
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
    const answer = await submitConsent(owner.browser, consent)
    expect(answer.headers.get('location')).toContain('code=')
    expect((await api.execute(token, '{ me { id } }')).status).toBe(200)
    expect((await fetch(`${config().BASE_URL}/oauth/jwks`)).status).toBe(200)
  })
})

describe('a broken database', () => {
  /** The timeout of each test. It leaves time for connections to time out and for PostgreSQL to recover. */
  const patience = 60_000

  /** Starts a rotation chain of refresh tokens, and collects every token that the app received. */
  async function startLine() {
    const { body } = await signInToApp(owner.browser, cli, offline)
    let current = body.refresh_token as string
    const acknowledged = [body.access_token as string]
    const results = new Set<string>()
    return {
      results,
      /** Presents the current token once. */
      async refresh(): Promise<number> {
        const { status, body, headers } = await refresh(cli, current)
        results.add(
          status === 200 ? '200' : `${status} ${body.error}, again after ${headers.get('retry-after')} s`,
        )
        if (status !== 200) return status
        current = body.refresh_token as string
        acknowledged.push(body.access_token as string)
        return status
      },
      /** Presents the token until it is accepted, as an app would. */
      async goOn(): Promise<void> {
        while ((await this.refresh()) !== 200 && [...results].every(isPromised)) await sleep(50)
      },
      /** Returns the distinct UserInfo statuses of all received tokens. */
      worth: async () =>
        new Set(await Promise.all(acknowledged.map(async (each) => (await userinfo(each)).status))),
    }
  }

  const away = '503 temporarily_unavailable, again after 5 s'
  const isPromised = (what: string) => what === '200' || what === away

  const processes = async (): Promise<number[]> => {
    const rows = await primary.ask<{ pid: number }>('SELECT pid FROM pg_stat_activity')
    return [primary.pid() as number, ...rows.map(({ pid }) => pid)]
  }

  const statusOf = async (path: string) => (await fetch(new URL(path, config().BASE_URL))).status

  it(
    'the server reports a frozen database as an outage, and loses no tokens when the database resumes',
    async () => {
      const line = await startLine()
      expect(await statusOf('/oauth/jwks')).toBe(200)
      const frozen = await processes()
      for (const pid of frozen) signalIfThere(pid, 'SIGSTOP')
      try {
        await line.refresh()
        expect([...line.results]).toEqual([away])
        expect(await statusOf('/oauth/jwks')).toBe(200)
      } finally {
        for (const pid of frozen) signalIfThere(pid, 'SIGCONT')
      }
      await line.goOn()
      expect([...line.results]).toEqual([away, '200'])
      expect([...(await line.worth())]).toEqual([200])
    },
    patience,
  )

  it(
    'the server reconnects after a database process is killed, and loses no tokens',
    async () => {
      const line = await startLine()
      await line.refresh()
      const [before] = await primary.ask<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'latchkey' AND state = 'idle' LIMIT 1`,
      )
      process.kill(Number(before?.pid), 'SIGKILL')
      for (let time = 0; time < 5; time++) await line.goOn()
      expect([...line.results].filter((what) => !isPromised(what))).toEqual([])
      expect([...(await line.worth())]).toEqual([200])
    },
    patience,
  )

  it(
    'the server reports an outage until a killed database runs again, and loses no tokens',
    async () => {
      const line = await startLine()
      for (let time = 0; time < 5; time++) await line.refresh()
      await primary.kill()
      await line.refresh()
      expect([...line.results]).toEqual(['200', away])
      // Processes of the killed database might still be running.
      await expect
        .poll(() => primary.start().then(() => 'started', String), { timeout: 30_000 })
        .toBe('started')
      await line.goOn()
      expect([...line.results]).toEqual(['200', away])
      expect([...(await line.worth())]).toEqual([200])
    },
    patience,
  )

  function signalIfThere(pid: number, signal: NodeJS.Signals): void {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended since the list was read. The connection that read the list also had a process.
    }
  }
})
