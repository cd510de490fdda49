import { describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { joinWorkspace, makeUser } from '@/lib/testing/factories'
import {
  authorize,
  challengeOf,
  newVerifier,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { appUsageTally, countUse } from '../../figures/count-usage'
import { readRefusals } from '../activity/read-refusals'
import { readAppUsage, readUsageOf, readWorkspaceUsage } from '../activity/read-usage'
import { removeStale } from '../remove-stale'

const { server, owner } = await startOAuthWorld()

const actor = (user: { id: string }) => ({ kind: 'session', userId: user.id }) as never
const read = async (app: TestApp, now?: number) => (await readUsageOf([app.clientId], now))[0] ?? []

/** Returns the sum of all counts, so that the result does not change if midnight passes. */
async function counted(app: TestApp) {
  const sum = { authorizations: 0, tokens: 0, requests: 0, errors: 0 }
  for (const { day: _, ...counts } of await read(app)) {
    for (const use of Object.keys(sum) as (keyof typeof sum)[]) sum[use] += counts[use]
  }
  return sum
}

const none = { authorizations: 0, tokens: 0, requests: 0, errors: 0 }

describe('the usage counter of an app', () => {
  it('counts sign-ins, refresh token rotations, and rejections, but not retries that get the same response', async () => {
    const cli = await owner.makeApp(native)
    const { body } = await signInToApp(owner.browser, cli, offline)
    expect(await counted(cli)).toEqual({ ...none, authorizations: 1, tokens: 1 })
    const token = String(body.refresh_token)
    expect((await refresh(cli, token)).status).toBe(200)
    expect((await refresh(cli, token)).status).toBe(200)
    expect((await refresh(cli, 'lk_rt_unknown')).status).toBe(400)
    expect(await counted(cli)).toEqual({ ...none, authorizations: 1, tokens: 2, errors: 1 })
  })

  it('counts a code exchange only once, even for concurrent requests', async () => {
    const cli = await owner.makeApp(native)
    const verifier = newVerifier()
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const code = String((await authorize(owner.browser, cli, pkce)).get('code'))
    const exchange = () =>
      requestToken(cli, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: cli.redirectUri,
        code_verifier: verifier,
      })
    await Promise.all(Array.from({ length: 5 }, exchange))
    expect(await counted(cli)).toEqual({ ...none, authorizations: 1, tokens: 1, errors: 4 })
  })

  it('does not count an authorization if the user declines', async () => {
    const cli = await owner.makeApp(native)
    await authorize(
      owner.browser,
      cli,
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      {
        decision: 'deny',
      },
    )
    expect(await counted(cli)).toEqual(none)
  })

  it('counts API requests and how many of them fail', async () => {
    const cli = await owner.makeApp(native)
    const { body } = await signInToApp(owner.browser, cli)
    const ask = async (query: string) => {
      const answer = await server.fetch('/graphql/v2', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${body.access_token}` },
        body: JSON.stringify({ query }),
      })
      return answer.json()
    }
    expect(await ask('{ me { id } }')).not.toHaveProperty('errors')
    expect(await ask('{ project(id: "unknown") { id } }')).toHaveProperty('errors')
    expect(await ask('{ nothing }')).toHaveProperty('errors')
    expect(await counted(cli)).toEqual({ ...none, authorizations: 1, tokens: 1, requests: 3, errors: 2 })
  })
})

describe('usage counts', () => {
  it('are stored by UTC day and shown for the last thirty days, oldest first', async () => {
    const app = await owner.makeApp()
    const midnight = Date.UTC(2026, 10, 21)
    countUse(app.clientId, 'requests', midnight - 1)
    countUse(app.clientId, 'requests', midnight)
    countUse(app.clientId, 'errors', midnight)
    countUse(app.clientId, 'tokens', Date.UTC(2026, 9, 23))
    countUse(app.clientId, 'tokens', Date.UTC(2026, 9, 23) - 1)
    const days = await read(app, midnight + 1)
    expect(days).toHaveLength(30)
    expect(days[0]).toEqual({ ...none, day: '2026-10-23', tokens: 1 })
    expect(days[1]).toEqual({ ...none, day: '2026-10-24' })
    expect(days.slice(-2)).toEqual([
      { ...none, day: '2026-11-20', requests: 1 },
      { ...none, day: '2026-11-21', requests: 1, errors: 1 },
    ])
  })

  it('add up over many writes, including concurrent ones', async () => {
    const app = await owner.makeApp()
    for (let at = 0; at < 5; at++) {
      countUse(app.clientId, 'requests')
      void appUsageTally.now()
    }
    expect(await counted(app)).toEqual({ ...none, requests: 5 })
  })

  it('are kept in memory after a failed write, and are written later', async () => {
    const app = await owner.makeApp()
    await pool().query('ALTER TABLE app_usage RENAME TO elsewhere')
    try {
      countUse(app.clientId, 'tokens')
      await expect(appUsageTally.now()).rejects.toThrow('app_usage')
    } finally {
      await pool().query('ALTER TABLE elsewhere RENAME TO app_usage')
    }
    countUse(app.clientId, 'tokens')
    expect(await counted(app)).toEqual({ ...none, tokens: 2 })
  })

  it('are dropped for unknown apps, and stay within the memory limit even during a flood of requests', async () => {
    const app = await owner.makeApp()
    countUse(app.clientId, 'requests')
    for (let at = 0; at < 10_100; at++) countUse(`https://flood.example/${at}`, 'errors')
    countUse(app.clientId, 'requests')
    expect(appUsageTally.size()).toBe(10_000)
    expect(await counted(app)).toEqual({ ...none, requests: 2 })
    expect(appUsageTally.size()).toBe(0)
  })

  it('are deleted after two months', async () => {
    const { clientId } = await owner.makeApp()
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000)
    await prisma().appUsage.createMany({
      data: [58, 63].map((ago) => ({ clientId, day: day(ago), requests: ago })),
    })
    await removeStale()
    const left = await prisma().appUsage.findMany({ where: { clientId } })
    expect(left.map(({ requests }) => requests)).toEqual([58])
  })

  it('are visible only to users who can manage the app', async () => {
    const app = await owner.makeApp()
    const member = await makeUser()
    await joinWorkspace(owner.workspace, member, 'MEMBER')
    const stranger = await makeUser()
    for (const [who, code] of [
      [member, 'FORBIDDEN'],
      [stranger, 'NOT_FOUND'],
    ] as const) {
      await expect(readAppUsage(actor(who), app.clientId, '24h')).rejects.toMatchObject({ code })
      await expect(readWorkspaceUsage(actor(who), owner.workspace.id, '7d')).rejects.toMatchObject({ code })
    }
  })

  it('are shown by day for a week or a month, and by hour for a day', async () => {
    const cli = await owner.makeApp(native)
    const now = Date.now()
    await signInToApp(owner.browser, cli, offline)
    expect((await refresh(cli, 'lk_rt_unknown')).status).toBe(400)
    const of = (range: '24h' | '7d' | '30d') => readAppUsage(actor(owner.user), cli.clientId, range, now)
    const [hours, week, month] = [await of('24h'), await of('7d'), await of('30d')]
    expect([hours.length, week.length, month.length]).toEqual([24, 7, 30])
    expect(hours.at(-1)).toEqual({
      at: new Date(now).toISOString().slice(0, 13),
      counts: { signIns: 1, refused: 1 },
    })
    expect(hours[0]?.counts).toEqual({})
    expect(week.at(-1)?.counts).toEqual({ authorizations: 1, tokens: 1, requests: 0, errors: 1 })
    expect(month.slice(-7)).toEqual(week)
    const together = await readWorkspaceUsage(actor(owner.user), owner.workspace.id, '7d', now)
    expect(together.at(-1)?.counts.tokens).toBeGreaterThan(week.at(-1)?.counts.tokens ?? 0)
  })
})

describe('the rejected requests of an app', () => {
  it('are counted for a week and shown with the reason for the latest rejection', async () => {
    const app = await owner.makeApp()
    const manager = actor(owner.user)
    expect(await readRefusals(manager, app.clientId)).toBeNull()
    await refresh(app, 'lk_rt_unknown')
    expect(await readRefusals(manager, app.clientId)).toMatchObject({ times: 1, wrongRedirectUri: false })
    await fetch(
      `${server.url}/oauth/auth?${new URLSearchParams({ client_id: app.clientId, redirect_uri: 'https://elsewhere.example/cb', response_type: 'code', scope: 'openid' })}`,
    )
    expect(await readRefusals(manager, app.clientId)).toMatchObject({
      times: 2,
      wrongRedirectUri: true,
      why: 'The redirect URI “https://elsewhere.example/cb” isn’t registered for this app.',
      lastAt: expect.any(Date),
    })
    expect(await readRefusals(manager, app.clientId, Date.now() + 7 * 86_400_000 + 60_000)).toBeNull()
  })

  it('are visible only to users who can manage the app', async () => {
    const app = await owner.makeApp()
    const member = await makeUser()
    await joinWorkspace(owner.workspace, member, 'MEMBER')
    await expect(readRefusals(actor(member), app.clientId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(readRefusals(actor(await makeUser()), app.clientId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
