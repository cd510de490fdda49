import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { prisma } from '@/lib/base/db/prisma'
import { readFromReplicas } from '@/lib/base/db/replicas/read-scope'
import { readers } from '@/lib/base/db/replicas/readers'
import { Replica } from '@/lib/base/db/replicas/replica'
import { endConnections, statement } from '@/lib/base/db/statements'
import { revokeApiToken } from '@/lib/features/api-tokens/revoke-api-token'
import type { SessionActor } from '@/lib/policy/actor'
import { startFamily } from '@/lib/testing/cluster-family'
import { makeApiToken, makeClient, makePerson, makeWorkspace } from '@/lib/testing/factories'
import { signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { native, signedInBrowser } from '@/lib/testing/oauth-world'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { askApi, askUserinfo, whatCanBeLost } from '@/lib/testing/what-can-be-lost'

/** The product over a primary with two replicas, which are made to lag, to stand still and to die. See decision 151. */

const dir = makeTemporaryData()
const family = await startFamily(dir)
const { primary } = family
await migrate(primary.url, readMigrations('prisma/migrations'))
const replicas = [await family.add('one'), await family.add('two')]
process.env.DATABASE_URL = primary.url
process.env.DATABASE_REPLICA_URL = replicas.map(({ url }) => url).join(' ')
resetConfig()
const server = await startOAuthServer()

afterAll(async () => {
  await endConnections()
  await family.end()
  removeTemporaryData(dir)
}, 60_000)

const byKey = vi.spyOn(Replica.prototype, 'readByKey')
const freshOnes = () => readers().replicas.filter((replica) => replica.isFresh()).length

/** Waits until so many replicas are asked. */
const areAsked = async (count: number) => {
  await readFromReplicas(async () => undefined)
  await vi.waitFor(() => expect(freshOnes()).toBe(count), { timeout: 15_000, interval: 20 })
}

const everywhere = (sql: string) => Promise.all(replicas.map((replica) => replica.ask(sql)))
const standStill = () => everywhere('SELECT pg_wal_replay_pause()')
const late = async (by: string) => {
  for (const replica of replicas) await replica.set({ recovery_min_apply_delay: by })
  await areAsked(2)
}
const goOn = () => everywhere('SELECT pg_wal_replay_resume()')

afterEach(goOn)
beforeEach(async () => {
  await areAsked(2)
  byKey.mockClear()
})

const asPerson = (userId: string): SessionActor => ({
  kind: 'session',
  userId,
  sessionId: randomUUID(),
  instanceAdmin: false,
})

describe('what only reads', () => {
  it('is answered by replicas: named statements, reads by key, Prisma outside of transactions', async () => {
    const isStandby = statement<{ standby: boolean }, []>(
      'test-where',
      'SELECT pg_is_in_recovery() AS standby',
    )
    const { result, fromReplica } = await readFromReplicas(async () => [
      await isStandby(),
      await prisma().$queryRaw`SELECT pg_is_in_recovery() AS standby`,
      await prisma().$transaction((tx) => tx.$queryRaw`SELECT pg_is_in_recovery() AS standby`),
    ])
    expect(result).toEqual([[{ standby: true }], [{ standby: true }], [{ standby: false }]])
    expect(fromReplica).toBe(true)
    expect([await isStandby(), await prisma().$queryRaw`SELECT pg_is_in_recovery() AS standby`]).toEqual([
      [{ standby: false }],
      [{ standby: false }],
    ])
  })

  it('may write all the same, on the primary', async () => {
    const { result } = await readFromReplicas(() =>
      prisma()
        .user.count()
        .then(() => makePerson()),
    )
    expect(await prisma().user.findUnique({ where: { id: result.id } })).toMatchObject({ id: result.id })
  })

  it('is asked for again on the primary where a replica knows no such token, or refuses what was just allowed', async () => {
    const person = await makePerson()
    const workspace = await makeWorkspace()
    const { token } = await makeApiToken(person)
    const { client } = await makeClient(workspace, native)
    const app = { clientId: client.id, redirectUri: client.redirectUris[0] as string }
    const browser = await signedInBrowser(person.id)
    await standStill()
    const issued = String((await signInToApp(browser, app, { prompt: 'consent' })).body.access_token)
    expect([
      await askUserinfo(server.url, issued),
      await askApi(server.url, issued, '{ me { id } }'),
    ]).toEqual([200, { me: { id: person.id } }])
    const role = 'query ($w: ID!) { workspace(workspaceId: $w) { role } }'
    // Past the product, so that nothing waits.
    await primary.ask(
      `INSERT INTO workspace_members (workspace_id, user_id, role) VALUES ('${workspace.id}', '${person.id}', 'MEMBER')`,
    )
    expect(await askApi(server.url, token, role, { w: workspace.id })).toEqual({
      workspace: { role: 'MEMBER' },
    })
  })
})

describe('what takes access away', () => {
  it('is felt at the next request while the replicas stand still, and while they are asked', async () => {
    const all = await whatCanBeLost(server.url)
    for (const { what, ask, after } of all) expect(await ask(), what).not.toEqual(after)
    expect(byKey).toHaveBeenCalled()
    await areAsked(2)
    await standStill()
    // They show what was, and are still asked when the first of these begins.
    expect(freshOnes()).toBe(2)
    await Promise.all(
      all.map(async ({ what, ask, take, after }) => {
        await take()
        expect(await ask(), what).toEqual(after)
      }),
    )
    await goOn()
    await areAsked(2)
    for (const { what, ask, after } of all) expect(await ask(), what).toEqual(after)
  }, 60_000)

  it('is felt at the next request while the replicas are late and go on being asked, and so is what was written', async () => {
    const person = await makePerson()
    const tokens = await Promise.all(Array.from({ length: 6 }, () => makeApiToken(person)))
    const { token } = await makeApiToken(person)
    await late('300ms')
    const after = await Promise.all(
      tokens.map(async ({ token: revoked, row }) => {
        await revokeApiToken(asPerson(person.id), row.id)
        return askApi(server.url, revoked, '{ me { id } }')
      }),
    )
    expect(after).toEqual(new Array(6).fill('UNAUTHENTICATED'))
    byKey.mockClear()
    const made = 'mutation { workspaceCreate(input: { name: "made just now" }) { name } }'
    expect(await askApi(server.url, token, made)).toMatchObject({ workspaceCreate: {} })
    expect(await askApi(server.url, token, '{ me { workspaces { name } } }')).toEqual({
      me: { workspaces: [{ name: 'made just now' }] },
    })
    await areAsked(2)
    expect(byKey).toHaveBeenCalled()
    await late('0')
  }, 60_000)
})

describe('what an operator is told of a replica', () => {
  const seen = () =>
    readers()
      .report()
      .map(({ use }) => use)
  const until = (what: string[]) =>
    vi.waitFor(() => expect(seen()).toEqual(what), { timeout: 15_000, interval: 20 })

  it('is whether it is read from, left out or unreachable, and by how much it is behind', async () => {
    const [one, two] = replicas as [(typeof replicas)[number], (typeof replicas)[number]]
    expect(seen()).toEqual(['in-use', 'in-use'])
    expect(readers().report()[0]?.name).toMatch(/^[^@]+:\d+\/[^@]+$/)
    await one.ask('SELECT pg_wal_replay_pause()')
    await two.kill()
    await until(['left-out', 'unreachable'])
    // It was read from for three seconds after the last that it showed.
    expect(readers().report()[0]?.behindMs).toBeGreaterThan(1_000)
    await two.start()
    await goOn()
    await until(['in-use', 'in-use'])
    await vi.waitFor(() => expect(readers().report()[0]?.behindMs).toBeLessThan(1_000), { timeout: 15_000 })
  }, 60_000)
})

describe('a replica that is gone', () => {
  it('is left out without a request that fails, and comes back on its own', async () => {
    const person = await makePerson()
    const { token } = await makeApiToken(person)
    const [one] = replicas as [(typeof replicas)[number]]
    await one.kill()
    for (let i = 0; i < 20; i++)
      expect(await askApi(server.url, token, '{ me { id } }')).toEqual({ me: { id: person.id } })
    await areAsked(1)
    await one.start()
    await areAsked(2)
  }, 60_000)
})
