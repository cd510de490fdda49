import fs from 'node:fs'
import { expect, it } from 'vitest'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { findLiveSession } from '@/lib/features/identity/sessions/find-live-session'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { callerFromBearer } from '@/lib/policy/bearer'
import { makeAccessToken, makeInstallationToken } from '@/lib/testing/access-token'
import { makeApiToken, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'

/** The documented SQL statements for incidents. */
const [whose, endApiToken, endAuthorization, endToken, endApp, endUser, endSessions, endAll] = [
  ...fs.readFileSync('docs/operate/runbook.md', 'utf8').matchAll(/^( *)```sql\n([\s\S]*?)^\1```/gm),
].map(([, , sql]) => String(sql)) as [string, string, string, string, string, string, string, string]

/** Runs a block of SQL with variables, like psql. */
const run = async (sql: string, variables: Record<string, string> = {}) => {
  const text = sql.replace(/:'(\w+)'/g, (_, name: string) => `'${variables[name]}'`)
  const results = [await pool().query(text)].flat()
  return results[0]?.rows
}
const lives = async (token: string) => (await callerFromBearer(token)) !== undefined

it('the SQL for incidents finds the owner of a token and revokes the token', async () => {
  const user = await makeUser()
  const { token: value } = await makeApiToken(user)
  expect(await run(whose, { token: value })).toMatchObject([{ kind: 'API token', whose: user.email }])
  expect(await lives(value)).toBe(true)
  await run(endApiToken, { token: value })
  expect(await lives(value)).toBe(false)

  const access = await makeAccessToken(user, ['openid', 'email'])
  const other = await makeAccessToken(user, ['openid', 'email'])
  expect(await run(whose, { token: access.token })).toMatchObject([
    { kind: 'AccessToken', whose: user.email, name: access.client.name },
  ])
  await run(endAuthorization, { token: access.token })
  expect([await lives(access.token), await lives(other.token)]).toEqual([false, true])
  expect(await run(whose, { token: mintCredential('accessToken') })).toEqual([])
})

it('the SQL for incidents finds the app that a token or a client secret belongs to', async () => {
  const admin = await makeUser()
  const workspace = await makeWorkspace([[admin, 'ADMIN']])
  const { token, client } = await makeInstallationToken({ workspace, scopes: ['workspace:member'] })
  const its = { kind: 'ClientCredentials', whose: workspace.slug, name: client.name }
  expect(await run(whose, { token })).toEqual([its])
  expect(await lives(token)).toBe(true)
  await run(endToken, { token })
  expect(await lives(token)).toBe(false)

  const alone = await makeInstallationToken(undefined)
  expect(await run(whose, { token: alone.token })).toEqual([
    { kind: 'ClientCredentials', whose: null, name: alone.client.name },
  ])

  const { secret } = await makeClient(workspace)
  expect(await run(whose, { token: String(secret) })).toMatchObject([
    { kind: 'client secret', whose: workspace.slug },
  ])
})

it('the SQL for incidents revokes the tokens of only one app', async () => {
  const [one, two] = [
    await makeAccessToken(await makeUser(), ['openid']),
    await makeAccessToken(await makeUser(), ['openid']),
  ]
  await run(endApp, { client: one.client.id })
  expect([await lives(one.token), await lives(two.token)]).toEqual([false, true])

  const workspace = await makeWorkspace([[await makeUser(), 'ADMIN']])
  const [its, others] = [
    await makeInstallationToken({ workspace, scopes: ['workspace:member'] }),
    await makeInstallationToken({ workspace, scopes: ['workspace:member'] }),
  ]
  await run(endApp, { client: its.client.id })
  expect([await lives(its.token), await lives(others.token)]).toEqual([false, true])
})

it('the SQL for incidents revokes the credentials of only one user', async () => {
  const [taken, other] = [await makeUser(), await makeUser()]
  const made = async (user: { id: string }) => [
    (await makeApiToken(user)).token,
    (await makeAccessToken(user, ['openid'])).token,
  ]
  const theirs = await made(taken)
  const others = await made(other)
  await run(endUser, { email: taken.email })
  expect(await Promise.all(theirs.map(lives))).toEqual([false, false])
  expect(await Promise.all(others.map(lives))).toEqual([true, true])
})

it('the SQL for incidents ends all sessions and revokes all apps’ tokens', async () => {
  const user = await makeUser()
  const sid = await startSession({}, user.id, ['pwd'])
  expect(await findLiveSession(sid)).toBeTruthy()
  await run(endSessions)
  expect(await findLiveSession(sid)).toBeFalsy()
  const { token, authorization } = await makeAccessToken(user, ['openid'])
  await run(endAll)
  expect(await lives(token)).toBe(false)
  expect(await prisma().authorization.count({ where: { id: authorization.id } })).toBe(1)
})
