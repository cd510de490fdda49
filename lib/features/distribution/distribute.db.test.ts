import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { cloneUndistributed } from '@/lib/testing/database'
import { distribute } from './distribute'
import { referenceTables, tableLayout } from './table-layout'

/** These tests require Citus workers. Run them with `npm run test:citus`. */
const onCitus = describe.skipIf(inject('workerUrls').length === 0)

const silent = () => undefined
const everything = readMigrations('prisma/migrations')
/** The last migration of the first release that supports distribution. */
const first = everything.findIndex(({ name }) => name.endsWith('_commit_on_one_shard')) + 1

async function connect(url: string, name = 'a test'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  client.on('error', silent)
  await client.connect()
  return client
}

const ids = {
  user: '00000000-0000-7000-8000-000000000001',
  authorization: '00000000-0000-7000-8000-00000000000a',
}

/** Creates a user with an authorization and the given number of tokens. */
const fill = (client: pg.Client, tokens: number) =>
  client.query(`
    INSERT INTO users (id, name, email, updated_at) VALUES ('${ids.user}', 'Ada', 'ada@example.test', now());
    INSERT INTO oauth_clients (id, type, name, redirect_uris, post_logout_redirect_uris, updated_at)
    VALUES ('app', 'WEB', 'App', '{}', '{}', now());
    INSERT INTO authorizations (id, user_id, client_id, scopes, workspace_ids, project_ids, updated_at)
    VALUES ('${ids.authorization}', '${ids.user}', 'app', '{}', '{}', '{}', now());
    INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, family, expires_at)
    SELECT sha256(g::text::bytea), 'RefreshToken', '${ids.authorization}', '{}', sha256(g::text::bytea), now() + interval '1 day'
      FROM generate_series(1, ${tokens}) g`)

const countTokens = async (client: pg.Client): Promise<number> =>
  (await client.query('SELECT count(*)::int AS tokens FROM oauth_artifacts')).rows[0].tokens

/**
 * Returns the reference and distributed tables with their placement, such as `users reference` or
 * `oauth_artifacts hash`.
 */
const placesOf = async (client: pg.Client): Promise<string[]> =>
  (
    await client.query<{ is: string }>(
      `SELECT table_name || ' ' || CASE citus_table_type WHEN 'distributed' THEN distribution_column ELSE citus_table_type END AS is
         FROM citus_tables WHERE citus_table_type <> 'local'`,
    )
  ).rows
    .map(({ is }) => is)
    .sort()

const wanted = Object.entries(tableLayout)
  .filter(([, place]) => place !== 'local')
  .map(([table, place]) => `${table} ${typeof place === 'object' ? place.by : place}`)
  .sort()

onCitus('a database that holds tokens and is in use', () => {
  let url: string
  let client: pg.Client

  beforeAll(async () => {
    url = await cloneUndistributed()
    client = await connect(url)
    await fill(client, 20_000)
  })
  afterAll(() => client.end())

  it('keeps all tokens if the distribution is interrupted twice', async () => {
    const kill = () =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND application_name = 'latchkey-distribute'`)
    const halfWay = distribute({
      ...{ address: url, shards: 4 },
      report: (line) => line.startsWith('workspaces') && void kill(),
    })
    await expect(halfWay).rejects.toThrow()
    expect(await placesOf(client)).not.toEqual(wanted)

    const copying = distribute({ address: url, shards: 4, report: silent }).then(
      () => 'done',
      () => 'ended',
    )
    const begun = `SELECT FROM pg_replication_slots WHERE database = current_database()`
    while ((await client.query(begun)).rowCount === 0) await sleep(5)
    await kill()
    expect(await copying).toBe('ended')
    expect(await countTokens(client)).toBe(20_000)
  })

  it('loses no rows that are written while its tokens are moved into shards, and is fully distributed afterward', async () => {
    let going = true
    let missed = 0
    let written = 0
    const fresh = await Promise.all(Array.from({ length: 4 }, () => connect(url)))
    const writers = fresh.map(async (writer) => {
      while (going) {
        const hash = randomBytes(32)
        const sent = async (text: string) => {
          for (;;) {
            try {
              return (await writer.query(text, [hash])).rowCount
            } catch (error) {
              // This error means that nothing was written. A server would respond with 503.
              if ((error as { code?: string }).code !== '57014') throw error
            }
          }
        }
        await sent(
          `INSERT INTO oauth_artifacts (hash, model, payload, expires_at) VALUES ($1, 'AccessToken', '{}', 'infinity')`,
        )
        if ((await sent(`UPDATE oauth_artifacts SET consumed_at = '2030-01-01' WHERE hash = $1`)) !== 1)
          missed++
        if ((await sent('DELETE FROM oauth_artifacts WHERE hash = $1')) !== 1) missed++
        written++
      }
    })
    await distribute({ address: url, shards: 4, report: silent })
    const before = written
    while (written < before + 4) await sleep(5)
    going = false
    await Promise.all(writers)
    await Promise.all(fresh.map((each) => each.end()))
    expect(missed).toBe(0)
    expect(await placesOf(client)).toEqual(wanted)
    expect(await countTokens(client)).toBe(20_000)
  })

  it('closes connections that were opened before the distribution, so that every server can revoke an authorization', async () => {
    const other = await cloneUndistributed()
    const [before, own] = [await connect(other, 'latchkey'), await connect(other)]
    try {
      await fill(own, 10)
      const ended = new Promise((resolve) => before.once('end', resolve))
      await distribute({ address: other, shards: 4, report: silent })
      await ended
      const after = await connect(other, 'latchkey')
      await after.query('BEGIN')
      await after.query(`DELETE FROM oauth_artifacts WHERE authorization_id = '${ids.authorization}'`)
      await after.query(`DELETE FROM authorizations WHERE id = '${ids.authorization}'`)
      await after.query('COMMIT')
      await after.end()
      expect(await countTokens(own)).toBe(0)
    } finally {
      await own.end()
    }
  })

  it('is not changed if the distribution is run again', async () => {
    const report: string[] = []
    await distribute({ address: url, shards: 4, report: (line) => report.push(line) })
    expect(report.length).toBeGreaterThan(0)
    expect(report.filter((line) => !line.endsWith(': already done'))).toEqual([])
  })
})

onCitus('a database that was distributed by an earlier release', () => {
  let url: string
  let client: pg.Client

  beforeAll(async () => {
    url = await cloneUndistributed({ isEmpty: true })
    await migrate(url, everything.slice(0, first))
    client = await connect(url)
    await fill(client, 100)
    await distribute({ address: url, shards: 4, report: silent })
  })
  afterAll(() => client.end())

  it('applies every later migration to each node', async () => {
    const { applied } = await migrate(url, everything)
    expect(applied).toEqual(everything.slice(first).map(({ name }) => name))
    await distribute({ address: url, shards: 4, report: silent })
    expect(await placesOf(client)).toEqual(wanted)
    expect(await countTokens(client)).toBe(100)
    for (const table of referenceTables) {
      const columns = `SELECT string_agg(column_name || udt_name || is_nullable, ',' ORDER BY column_name) FROM information_schema.columns WHERE table_name = '${table}'`
      const { rows } = await client.query('SELECT DISTINCT result FROM run_command_on_all_nodes($1)', [
        columns,
      ])
      expect(rows, table).toHaveLength(1)
    }
  })

  it('allows the schema and data changes that releases typically make', async () => {
    await migrate(url, [
      ...everything,
      {
        ...{ name: '99990101000000_next', checksum: 'next' },
        sql: `
          ALTER TABLE users ADD COLUMN motto TEXT NOT NULL DEFAULT '';
          ALTER TABLE oauth_artifacts ADD COLUMN note TEXT;
          CREATE INDEX artifacts_note ON oauth_artifacts (note);
          CREATE TYPE mood AS ENUM ('GOOD');
          ALTER TABLE workspaces ADD COLUMN mood mood NOT NULL DEFAULT 'GOOD';
          UPDATE users SET motto = 'Onwards';
          CREATE TABLE later (id UUID PRIMARY KEY, user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE);
          ALTER TYPE role ADD VALUE 'GUEST';`,
      },
    ])
    await client.query(`INSERT INTO later VALUES ('${ids.authorization}', '${ids.user}')`)
    await client.query(`UPDATE users SET motto = 'Later'`)
    const { rows } = await client.query(
      `SELECT DISTINCT result FROM run_command_on_all_nodes('SELECT motto FROM users')`,
    )
    expect(rows).toEqual([{ result: 'Later' }])
  })
})

onCitus('a cluster that is not ready', () => {
  it('is not distributed, and the error names the unmet requirement', async () => {
    const url = await cloneUndistributed()
    const client = await connect(url)
    try {
      await client.query(`SELECT create_distributed_table('request_counts', 'credential_id')`)
      await expect(distribute({ address: url, shards: 4, report: silent })).rejects.toThrow(
        /request_counts is already in shards by credential_id and should be only on the coordinator/,
      )
      await client.query(`SELECT undistribute_table('request_counts')`)
      await client.query('SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node WHERE groupid > 0')
      await expect(distribute({ address: url, shards: 4, report: silent })).rejects.toThrow(/no worker/)
      expect(await placesOf(client)).toEqual([])
    } finally {
      await client.end()
    }
  })
})
