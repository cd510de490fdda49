import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { config } from '@/lib/base/config/env'
import { checkConnection } from './check-connection'
import { pool } from './pool'
import { databaseTarget, PrimaryClient } from './primary'

/**
 * Matches one piece of SQL: a comment, string, quoted name, or dollar-quoted body (in which a semicolon does
 * not end a statement), a semicolon, a word, or any other character.
 */
const pieces =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;|\w+|[\s\S]/g

/**
 * Splits SQL into its statements, in order and without their semicolons, and omits statements that are empty
 * or consist only of comments. Supports strings, quoted names, dollar-quoted bodies, and comments, but not
 * nested comments or unquoted bodies (`BEGIN ATOMIC`). See ADR 0040.
 */
export function splitStatements(sql: string): string[] {
  const found: string[] = []
  let text = ''
  let says = false
  const end = () => {
    if (says) found.push(text.trim())
    text = ''
    says = false
  }
  for (const [piece] of sql.matchAll(pieces)) {
    if (piece === ';') end()
    else {
      text += piece
      says ||= !/^(--|\/\*|\s)/.test(piece)
    }
  }
  end()
  return found
}

/**
 * Migrates the instance's database. If DATABASE_DIRECT_URL is set, checks that URL and connects to the
 * database directly instead of through the pooler. Migrations hold a session lock, which would be lost with a
 * pooler in transaction mode.
 * @param migrations from `readMigrations`
 * @throws Error with a message for the instance admin if DATABASE_DIRECT_URL cannot be used, or an error from
 * `migrate`
 */
export async function migrateDirectly(migrations: Migration[]): Promise<MigrationReport> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_CA } = config()
  if (DATABASE_DIRECT_URL) await checkConnection(DATABASE_DIRECT_URL, 'DATABASE_DIRECT_URL')
  return migrate(DATABASE_DIRECT_URL ?? DATABASE_URL, migrations, DATABASE_CA)
}

/**
 * Applies missing migrations at startup. With MIGRATE=0, applies no migrations and throws an error if any are
 * missing.
 * @throws Error with a message for the instance admin if MIGRATE is 0 and migrations are missing, or an error
 * from `migrateDirectly`
 */
export async function settleMigrations(migrations: Migration[]): Promise<MigrationReport> {
  if (config().MIGRATE !== false) return migrateDirectly(migrations)
  const missing = await missingMigrations(
    pool(),
    migrations.map(({ name }) => name),
  )
  if (missing.length === 0) return { applied: [], edited: [] }
  throw new Error(
    `The database lacks migrations: ${nameMigrations(missing)}. Run \`latchkey migrate\`, or start without MIGRATE=0.`,
  )
}

/**
 * A migration from prisma/migrations. This module records migrations in the same table as
 * `prisma migrate deploy` and uses the same advisory lock, so you can also use that command. This module
 * exists because `prisma migrate` must download its schema engine, which is not possible on servers without
 * internet access.
 */
export type Migration = { name: string; sql: string; checksum: string }

export type MigrationReport = {
  /** The names of the migrations that were applied in this run. */
  applied: string[]
  /** The names of the migrations that were applied earlier and whose files have changed since then. */
  edited: string[]
}

/** Thrown if a database cannot be migrated. The message is written for the instance admin. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** The key of the advisory lock that Prisma's schema engine uses. */
const ADVISORY_LOCK = 72_707_369
const LOCK_TIMEOUT_MS = 120_000

const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

/**
 * Matches a migration with a statement that PostgreSQL rejects inside a transaction (CONCURRENTLY, VACUUM,
 * ALTER SYSTEM), or that begins or commits a transaction.
 */
const NOT_ATOMIC = /\bconcurrently\b|^\s*(begin|commit|start\s+transaction|vacuum|alter\s+system)\b/im

/**
 * Returns the migrations of a folder, sorted by name. The names start with the time of creation, so the
 * oldest migration is first.
 * @param folder the path of a folder such as `prisma/migrations`, in which each subfolder is a migration
 * @throws Error if the folder or one of its `migration.sql` files is missing
 */
export function readMigrations(folder: string): Migration[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = fs.readFileSync(path.join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/**
 * Applies the migrations that a database lacks. Concurrent processes wait for each other, for up to two
 * minutes. Each migration is applied completely or not at all, unless it contains a statement that PostgreSQL
 * cannot run in a transaction, or begins or commits a transaction itself.
 * @param databaseUrl the URL of the server itself, not of a pooler in transaction mode
 * @param migrations from `readMigrations`
 * @param ca the value of DATABASE_CA
 * @throws MigrationError if a migration fails or failed earlier, if the database belongs to another product,
 * if the role lacks permissions, or if another process holds the lock for longer than two minutes
 * @throws the driver's error if the connection fails
 */
export async function migrate(
  databaseUrl: string,
  migrations: Migration[],
  ca?: string,
): Promise<MigrationReport> {
  const client = new PrimaryClient({
    application_name: 'latchkey-migrate',
    ...databaseTarget(databaseUrl, ca),
  })
  client.on('error', () => {}) // if the connection is lost, the current statement fails too
  await client.connect()
  try {
    await lock(client)
    return await applyMissing(client, migrations)
  } finally {
    await client.end().catch(() => {}) // this also releases the lock
  }
}

/**
 * Returns the names of the migrations that are not completely applied. If the database has no table of
 * migrations, returns all names.
 * @param db a pool or client
 * @param names the names of all migrations in this release
 */
export async function missingMigrations(db: pg.Pool | pg.ClientBase, names: string[]): Promise<string[]> {
  if (!(await hasMigrationTable(db))) return names
  const { rows } = await db.query<{ name: string }>(
    'SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  )
  const applied = new Set(rows.map((row) => row.name))
  return names.filter((name) => !applied.has(name))
}

/**
 * Returns text that lists migrations for use in a sentence: all names or, if there are more than three, their
 * number and the first and last name.
 */
export const nameMigrations = (names: string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.length} of them, ${names[0]} to ${names.at(-1)}`

async function hasMigrationTable(db: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS found`,
  )
  return rows[0]?.found ?? false
}

async function lock(client: pg.Client): Promise<void> {
  for (const end = Date.now() + LOCK_TIMEOUT_MS; ; await sleep(200)) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [ADVISORY_LOCK])
    if (rows[0].taken) return
    if (Date.now() > end) {
      throw new MigrationError(
        'Another process has been migrating this database for two minutes. Check what that process is waiting for.',
      )
    }
  }
}

async function applyMissing(client: pg.Client, migrations: Migration[]): Promise<MigrationReport> {
  if (!(await hasMigrationTable(client))) {
    await refuseForeignTables(client)
    await refusePoorRole(client)
  }
  await client.query(TABLE)
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  )
  const failed = rows.find((row) => !row.finished)
  if (failed) throw new MigrationError(halfDone(failed.name))
  const known = new Map(rows.map((row) => [row.name, row.checksum]))
  const report: MigrationReport = { applied: [], edited: [] }
  for (const migration of migrations) {
    const checksum = known.get(migration.name)
    if (checksum === undefined) {
      await (NOT_ATOMIC.test(migration.sql) ? applyInSteps : applyAtomically)(client, migration)
      report.applied.push(migration.name)
    } else if (checksum !== migration.checksum) report.edited.push(migration.name)
  }
  if (report.applied.length > 0 && (await areEnumsImmutable(client))) await declareEnumsImmutable(client)
  return report
}

/**
 * Throws a MigrationError if the current schema contains a table that does not belong to an extension. A
 * database without our table of migrations but with other tables belongs to another product, and our tables
 * must not be added to it.
 */
async function refuseForeignTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      LIMIT 1`,
  )
  if (rows[0]) {
    throw new MigrationError(
      `The database is not empty (it has a table "${rows[0].name}") and was not created by Latchkey. Use a separate database for Latchkey.`,
    )
  }
}

/**
 * Throws a MigrationError unless the role can create tables in the current schema and, if the job queue's
 * schema does not exist yet, can create that schema (ADR 0032).
 */
async function refusePoorRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<'role' | 'schema' | 'database' | 'tables' | 'schemas', string>>(
    `SELECT quote_ident(current_user) AS role, quote_ident(coalesce(current_schema(), 'public')) AS schema,
            quote_ident(current_database()) AS database,
            has_schema_privilege(coalesce(current_schema(), 'public'), 'CREATE') AS tables,
            has_database_privilege(current_database(), 'CREATE') OR to_regnamespace('pgboss') IS NOT NULL AS schemas`,
  )
  const [may] = rows
  if (!may || (may.tables && may.schemas)) return
  const grants = [
    ...(may.tables ? [] : [`GRANT CREATE ON SCHEMA ${may.schema} TO ${may.role}`]),
    ...(may.schemas ? [] : [`GRANT CREATE ON DATABASE ${may.database} TO ${may.role}`]),
  ]
  throw new MigrationError(
    `The role ${may.role} cannot create tables here. As the owner of the database, run \`${grants.join('; ')};\`.`,
  )
}

async function applyAtomically(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    // Send one statement at a time. For a text with several statements, Citus would send the whole text to
    // its nodes once for each statement.
    for (const statement of splitStatements(sql)) await client.query(statement)
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('COMMIT')
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => {})
    throw new MigrationError(`Migration ${name} failed and was rolled back: ${reason(cause)}.`, { cause })
  }
}

async function applyInSteps(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID()
  await client.query('INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)', [
    id,
    checksum,
    name,
  ])
  try {
    await client.query(sql)
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => {})
    await client.query('UPDATE "_prisma_migrations" SET logs = $2 WHERE id = $1', [id, reason(cause)])
    throw new MigrationError(`${halfDone(name)} The error was: ${reason(cause)}.`, { cause })
  }
  await client.query(
    'UPDATE "_prisma_migrations" SET finished_at = now(), applied_steps_count = 1 WHERE id = $1',
    [id],
  )
}

const halfDone = (name: string) =>
  `Migration ${name} failed halfway. Inspect the database, complete or undo the migration manually, then run \`npx prisma migrate resolve --applied ${name}\` (or \`--rolled-back\`).`

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Creates IMMUTABLE casts between text and each enum type in the `public` schema, except for types that
 * already have a cast to text.
 *
 * Prisma sends statements with `DO UPDATE SET role = $1::text::role` and `RETURNING role::text`. In these
 * places, Citus accepts only IMMUTABLE expressions, but PostgreSQL's own casts are STABLE, because an enum
 * value can be renamed. Migrations never rename a value, so these casts are safe. They convert through
 * `varchar`, because a direct cast between the enum and text would call the same function again.
 */
export async function declareEnumsImmutable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT t.typname AS name FROM pg_type t
      WHERE t.typtype = 'e' AND t.typnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_cast WHERE castsource = t.oid AND casttarget = 'text'::regtype)`,
  )
  for (const { name } of rows) {
    await client.query(`
      BEGIN;
      CREATE FUNCTION text_of_enum(${name}) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1::varchar::text';
      CREATE FUNCTION ${name}_of_text(text) RETURNS ${name} LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1::varchar::${name}';
      CREATE CAST (${name} AS text) WITH FUNCTION text_of_enum(${name}) AS ASSIGNMENT;
      CREATE CAST (text AS ${name}) WITH FUNCTION ${name}_of_text(text);
      COMMIT`)
  }
}

/**
 * Returns whether this database already has the casts from `declareEnumsImmutable`. If so, new enum types
 * need such casts too.
 */
async function areEnumsImmutable(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_proc WHERE proname = 'text_of_enum' LIMIT 1`)
  return rowCount === 1
}
