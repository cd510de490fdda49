import { beforeEach, describe, expect, inject, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import {
  foldUsedTables,
  forgetUsedTables,
  keepUsedTables,
  usedTable,
} from '@/lib/features/apps/authorizations/used-tables'
import { offline, refresh, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, cli } = await startOAuthWorld()
const dayMs = 86_400_000

const newRefreshToken = async (app = cli) =>
  (await signInToApp(owner.browser, app, offline)).body.refresh_token as string

/** Returns the table of each row that is stored for a token. */
const placesOf = async (token: string): Promise<string[]> =>
  (
    await pool().query<{ place: string }>(
      'SELECT tableoid::regclass::text AS place FROM oauth_artifacts WHERE hash = $1',
      [hashCredential(token)],
    )
  ).rows.map(({ place }) => place)

const tables = async (): Promise<string[]> =>
  (
    await pool().query<{ name: string }>(
      `SELECT 'used_tokens.' || tablename AS name FROM pg_tables WHERE schemaname = 'used_tokens' ORDER BY 1`,
    )
  ).rows.map(({ name }) => name)

/** Creates the table for an earlier week. @returns its name */
async function tableOf(daysAgo: number): Promise<string> {
  const monday = new Date(Date.now() - daysAgo * dayMs)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  const name = `used_tokens.from_${monday.toISOString().slice(0, 10).replaceAll('-', '')}`
  await pool().query(`CREATE TABLE IF NOT EXISTS ${name} () INHERITS (oauth_artifacts)`)
  return name
}

/** Moves a used token to the table of an earlier week. */
async function usedBefore(token: string, daysAgo: number): Promise<string> {
  const name = await tableOf(daysAgo)
  await pool().query(
    `WITH row AS (DELETE FROM oauth_artifacts WHERE hash = $1 RETURNING *) INSERT INTO ${name} SELECT * FROM row`,
    [hashCredential(token)],
  )
  await pool().query(`UPDATE ${name} SET consumed_at = consumed_at - $2 * interval '1 day' WHERE hash = $1`, [
    hashCredential(token),
    daysAgo,
  ])
  return name
}

// Citus does not support tables with child tables.
describe.skipIf(inject('workerUrls').length > 0)('a used refresh token', () => {
  beforeEach(keepUsedTables)

  it('moves to the table of its week, and its successor is stored with the valid tokens', async () => {
    const first = await newRefreshToken()
    expect(await placesOf(first)).toEqual(['oauth_artifacts'])
    const { body } = await refresh(cli, first)
    expect(await placesOf(first)).toEqual([usedTable()])
    expect(await placesOf(body.refresh_token as string)).toEqual(['oauth_artifacts'])
    expect(await placesOf(body.access_token as string)).toEqual(['oauth_artifacts'])
  })

  it('is exchanged for a single new token, even by parallel requests', async () => {
    const first = await newRefreshToken()
    const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(cli, first)))
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await placesOf(first)).toEqual([usedTable()])
  })

  it('ends the authorization if it is reused four weeks later', async () => {
    const app = await owner.makeApp(native)
    const first = await newRefreshToken(app)
    const { body } = await refresh(app, first)
    const table = await usedBefore(first, 28)
    await keepUsedTables()
    expect(await placesOf(first)).toEqual([table])
    expect((await refresh(app, first)).body.error).toBe('invalid_grant')
    expect((await userinfo(body.access_token as string)).status).toBe(401)
    expect(await prisma().authorization.count({ where: { clientId: app.clientId } })).toBe(0)
    expect(await placesOf(first)).toEqual([])
  })

  it('is deleted with the table of its week, and then no longer ends the authorization if it is reused', async () => {
    const app = await owner.makeApp(native)
    const first = await newRefreshToken(app)
    const { body } = await refresh(app, first)
    const table = await usedBefore(first, 38)
    const other = await tableOf(28)
    await keepUsedTables()
    expect(await tables()).not.toContain(table)
    expect(await tables()).toContain(other)
    expect(await placesOf(first)).toEqual([])
    expect((await refresh(app, first)).body.error).toBe('invalid_grant')
    expect((await refresh(app, body.refresh_token as string)).status).toBe(200)
  })

  it('has its expired table deleted only when no other transaction locks the table', async () => {
    const table = await tableOf(45)
    const reader = await pool().connect()
    await reader.query(`BEGIN; LOCK TABLE ${table} IN ACCESS SHARE MODE`)
    await keepUsedTables()
    expect(await tables()).toContain(table)
    await reader.query('ROLLBACK')
    reader.release()
    await keepUsedTables()
    expect(await tables()).not.toContain(table)
  })

  it('counts as used even if the server found no table to move it to', async () => {
    const first = await newRefreshToken()
    forgetUsedTables()
    const { body } = await refresh(cli, first)
    expect(await placesOf(first)).toEqual(['oauth_artifacts'])
    await keepUsedTables()
    expect((await refresh(cli, first)).body).toEqual(body)
  })

  it('stays in the main table if its own table was deleted, and the request still succeeds', async () => {
    const first = await newRefreshToken()
    await pool().query(`DROP TABLE ${usedTable()}`)
    expect((await refresh(cli, first)).status).toBe(200)
    expect(await placesOf(first)).toEqual(['oauth_artifacts'])
    expect(usedTable()).toBeUndefined()
  })

  it('has its table created in advance, and only once if several replicas run in parallel', async () => {
    for (const table of await tables()) await pool().query(`DROP TABLE ${table}`)
    await Promise.all(Array.from({ length: 4 }, () => keepUsedTables()))
    expect(await tables()).toEqual([usedTable(), usedTable(Date.now() + 7 * dayMs)])
    const indexes = await pool().query(`SELECT FROM pg_indexes WHERE schemaname = 'used_tokens'`)
    expect(indexes.rowCount).toBe(4)
  })

  it('moves back to the main table when the weekly tables are removed', async () => {
    const first = await newRefreshToken()
    const { body } = await refresh(cli, first)
    const client = await pool().connect()
    await foldUsedTables(client).finally(() => client.release())
    expect(await tables()).toEqual([])
    expect(await placesOf(first)).toEqual(['oauth_artifacts'])
    expect((await refresh(cli, first)).body).toEqual(body)
    expect((await refresh(cli, body.refresh_token as string)).status).toBe(200)
  })
})
