import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { endConnections } from '@/lib/base/db/pool'
import { captureLog } from '@/lib/testing/captured-log'
import { startFamily } from '@/lib/testing/cluster-family'
import { connectWith } from '@/lib/testing/fresh-process'
import { offline, refresh, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'

// A separate PostgreSQL with durable writes, because this test breaks it.
const dir = makeTemporaryData()
const family = await startFamily(dir)
const { primary } = family
await migrate(primary.url, readMigrations('prisma/migrations'))
delete process.env.DATABASE_DIRECT_URL
// This timeout is short, but long enough for a busy disk to write data.
await connectWith({ DATABASE_URL: primary.url, DATABASE_TIMEOUT: '3' })
const { owner, cli } = await startOAuthWorld()
const { release } = captureLog()
afterAll(async () => {
  release()
  await endConnections().catch(() => undefined)
  await family.end()
  removeTemporaryData(dir)
})

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
