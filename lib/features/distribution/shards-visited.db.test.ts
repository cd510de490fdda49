import PgBoss from 'pg-boss'
import { expect, inject, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { loadStatements } from '@/lib/testing/load-statements'

/**
 * Counts the token shards that each prepared statement queries, with EXPLAIN on Citus. To print the list, run
 * `npm run test:citus -- lib/features/distribution/shards-visited`.
 */

/**
 * Statements for databases without Citus. Citus rejects them, so distributed databases use
 * `commit_token_request` instead.
 */
const forOneMachine = ['oauth-token-commit-plain', 'oauth-token-commit-crowded']

/**
 * Statements that query all shards. Ordinary refreshes, code exchanges, and reads do not run these
 * statements.
 */
const askingAll = [
  // oidc-provider looks up a session during a sign-in.
  'oauth-artifact-find-uid',
  // A sign-in or a whole authorization ends.
  'oauth-artifact-delete-family',
  // A user enters a device code.
  'oauth-device-by-user-code',
  // An authorization exceeds its limit of active refresh tokens.
  'oauth-token-oldest',
]

/** Two different sample values for each parameter type. */
const samples: Record<string, [string, string]> = {
  bytea: [`sha256('a')`, `sha256('b')`],
  text: [`'a'`, `'b'`],
  uuid: [`'00000000-0000-7000-8000-000000000001'`, `'00000000-0000-7000-8000-000000000002'`],
  boolean: ['true', 'false'],
  jsonb: [`'{}'`, `'{}'`],
  date: ['now()', 'now()'],
  'double precision': ['1', '2'],
  integer: ['1', '2'],
  bigint: ['1', '2'],
  'timestamp with time zone': ['now()', 'now()'],
}

function sampleOf(type: string): string {
  const element = type.replace(/\[\]$/, '')
  const first = `(enum_range(NULL::${element}))[1]`
  const [one, other] = (samples[element] ?? [first, first]).map((value) => `${value}::${element}`)
  return element === type ? String(one) : `ARRAY[${one}, ${other}]`
}

/** Returns the number of shards that a plan queries in a distributed table, or 0 for other tables. */
function shardsIn(plan: string): number {
  const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
  return /oauth_artifacts_\d/.test(plan) ? Math.max(...tasks) : 0
}

const onCitus = it.skipIf(inject('workerUrls').length === 0)

onCitus(
  'every statement queries only one token shard, except batches and the listed rare statements',
  { timeout: 240_000 },
  async () => {
    const client = await pool().connect()
    const visited: Record<string, number> = {}
    try {
      await client.query(PgBoss.getConstructionPlans('pgboss'))
      for (const [name, [text]] of await loadStatements()) {
        if (forOneMachine.includes(name)) continue
        await client.query(`PREPARE "${name}" AS ${text}`)
        const { rows } = await client.query(
          'SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = $1',
          [name],
        )
        const values = rows[0].types.map(sampleOf).join(', ')
        const plan = await client.query(`EXPLAIN (COSTS OFF) EXECUTE "${name}"${values && `(${values})`}`)
        visited[name] = shardsIn(plan.rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
    } finally {
      client.release()
    }
    const report = Object.entries(visited).filter(([, shards]) => shards > 0)
    console.log(`shards queried (of 4)\n${report.map(([name, shards]) => `  ${shards}  ${name}`).join('\n')}`)
    expect(
      report
        .filter(([, shards]) => shards === 4)
        .map(([name]) => name)
        .sort(),
    ).toEqual(askingAll.sort())
    // A batch queries only the shards that contain its codes.
    expect(report.filter(([, shards]) => shards > 1 && shards < 4).map(([name]) => name)).toEqual([
      ...['oauth-token-delete', 'oauth-device-polls'],
    ])
  },
)

onCitus('a token request is committed in one round trip on the node that stores its credential', async () => {
  const client = await pool().connect()
  const sent: string[] = []
  client.on('notice', ({ message }) => sent.push(String(message)))
  try {
    await client.query('SET citus.log_remote_commands = on')
    const [text] = new Map(await loadStatements()).get('oauth-token-commit-shard') as readonly string[]
    const key = Buffer.alloc(32, 7)
    await client.query({
      name: 'committed',
      text: String(text),
      values: [key, true, null, null, ...[null, null, null, null], ...[null, null, null, null]],
    })
    expect(sent.filter((line) => line.startsWith('issuing'))).toEqual([
      expect.stringMatching(/^issuing SELECT .*commit_token_request/s),
    ])
  } finally {
    await client.query('RESET citus.log_remote_commands')
    client.removeAllListeners('notice')
    client.release()
  }
})
