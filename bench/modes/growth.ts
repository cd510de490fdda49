import fs from 'node:fs'
import path from 'node:path'
import { alternate } from '../driver/alternate'
import { median } from '../driver/statistics'
import { type BenchDatabase, query } from '../machine/database'
import type { Operation } from '../operations/operations'
import { basePort, type Options } from '../options'
import { bothSides, describeMachine, type Round, reportOperation } from '../report'
import { table } from '../table'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'

/** Rows beside those under measurement. */
type Size = { name: string; tokens: number; people: number; projects: number }

/** @param largest tokens of the last step: two million with a hundred thousand people and a million projects */
const sizes = (largest: number): Size[] => [
  { name: 'thousand', tokens: 1_000, people: 0, projects: 0 },
  { name: 'hundred-thousand', tokens: 100_000, people: 5_000, projects: 50_000 },
  {
    name: 'largest',
    tokens: largest,
    people: Math.ceil(largest / 20),
    projects: Math.ceil(largest / 2),
  },
]

const uuid = (kind: number, n: string) =>
  `('10000000-0000-7000-800${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** What a table is filled with. */
type Load = { table: string; columns: string; rows: string }

/**
 * Half access, half refresh tokens; nine in ten refresh tokens are used up and still hold the answer kept for a client that
 * lost it. They belong to the people of the bench, the projects to new people and workspaces.
 */
const loads = ({ tokens, people, projects }: Size): Load[] => [
  {
    table: 'oauth_artifacts',
    columns: 'hash, model, authorization_id, family, payload, consumed_at, replay, expires_at',
    rows: `SELECT sha256(('fill' || g)::bytea), CASE WHEN g % 2 = 0 THEN 'RefreshToken' ELSE 'AccessToken' END, z.id,
          sha256(('family' || g / 8)::bytea), t.payload, CASE WHEN g % 2 = 0 AND g % 20 > 0 THEN now() END,
          CASE WHEN g % 2 = 0 AND g % 20 > 0 THEN convert_to(repeat(md5(g::text), 26), 'UTF8') END,
          now() + interval '30 days'
     FROM generate_series(1, ${tokens}) g
     JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM authorizations WHERE client_id = 'bench-native') z
       ON z.n = 1 + g % 10000
    CROSS JOIN (SELECT payload FROM oauth_artifacts WHERE model = 'RefreshToken' LIMIT 1) t`,
  },
  {
    table: 'users',
    columns: 'id, name, email, updated_at',
    rows: `SELECT ${uuid(1, 'g')}, 'Person ' || g, 'p' || g || '@example.test', now() FROM generate_series(1, ${people}) g`,
  },
  {
    table: 'workspaces',
    columns: 'id, slug, name, updated_at',
    rows: `SELECT ${uuid(2, 'g')}, 'w' || g, 'Workspace ' || g, now() FROM generate_series(1, ${people}) g`,
  },
  {
    table: 'workspace_members',
    columns: 'workspace_id, user_id, role',
    rows: `SELECT ${uuid(2, 'g')}, ${uuid(1, 'g')}, 'ADMIN'::role FROM generate_series(1, ${people}) g`,
  },
  {
    table: 'projects',
    columns: 'id, workspace_id, name, updated_at',
    rows: `SELECT ${uuid(5, 'g')}, ${uuid(2, `1 + g % ${Math.max(people, 1)}`)}, 'Project ' || g, now()
     FROM generate_series(1, ${projects}) g`,
  },
  {
    table: 'project_members',
    columns: 'project_id, user_id, role',
    rows: `SELECT ${uuid(5, 'g')}, ${uuid(1, `1 + (g + k * 7) % ${Math.max(people, 1)}`)}, 'MEMBER'::role
     FROM generate_series(1, ${projects}) g, generate_series(0, 1) k`,
  },
]

/** Loads by COPY, through a file of the server's own; the rows fit together, so foreign keys are not checked one by one. */
async function fill(databaseUrl: string, database: BenchDatabase, size: Size): Promise<void> {
  const file = path.join(database.dir, 'rows')
  for (const { table, columns, rows } of loads(size)) {
    await query(
      databaseUrl,
      `SET session_replication_role = replica;
       COPY (${rows}) TO '${file}' (FORMAT binary);
       COPY ${table} (${columns}) FROM '${file}' (FORMAT binary)`,
    )
    fs.rmSync(file)
  }
  await query(databaseUrl, 'VACUUM ANALYZE')
  await query(databaseUrl, 'CHECKPOINT')
}

const measured: Operation[] = [
  'refresh-web',
  'refresh-native',
  'code-web',
  'code-native',
  'userinfo-web',
  'introspect-web',
  'graphql-me',
  'graphql-members',
  'device-web',
]

/** The same operations on a small, a middling and a large database, in alternating rounds: what does size cost? */
export async function growth(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const targets: Target[] = []
  try {
    for (const [i, size] of sizes(options.size ?? 2_000_000).entries()) {
      const databaseUrl = await database.create(`growth_${i}`)
      const target = await startLatchkey({ ...options, port: basePort + i, databaseUrl, name: size.name })
      targets.push(target)
      await target.mint('refresh', 1, 'native')
      const since = performance.now()
      await fill(databaseUrl, database, size)
      const [row] = await query<{ size: string }>(
        databaseUrl,
        'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
      )
      const seconds = ((performance.now() - since) / 1000).toFixed(0)
      console.log(
        `${size.name}: ${size.tokens} tokens, ${size.people} more people, ${size.projects} projects; ${row?.size}, filled in ${seconds} s`,
      )
    }
    const rounds: Round[] = []
    for (const operation of options.operations.length ? options.operations : measured) {
      const taken = await alternate(targets, operation, options, database)
      rounds.push(...taken)
      console.log(reportOperation(taken, 'largest'))
    }
    console.log(`\n${summary(rounds)}`)
    return rounds.every((each) => each.failures === 0)
  } finally {
    await Promise.all(targets.map((target) => target.server.stop()))
  }
}

/** CPU of both sides per request, relative to the smallest database of the same round. */
function summary(rounds: Round[]): string {
  const rows = [...new Set(rounds.map((each) => each.operation))].map((operation) => {
    const of = (target: string) =>
      rounds.filter((each) => each.operation === operation && each.target === target)
    const ratio = (target: string) =>
      median(of(target).map((each, i) => bothSides(each) / bothSides(of('thousand')[i] as Round))).toFixed(2)
    return [operation, '1.00', ratio('hundred-thousand'), ratio('largest')]
  })
  return table(
    ['cost per request (CPU of server and database)', 'thousand', 'hundred-thousand', 'largest'],
    rows,
  )
}
