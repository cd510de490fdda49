import type pg from 'pg'

/**
 * Has enums turn into texts, and texts into enums, by functions that count as IMMUTABLE, in this database.
 *
 * Prisma writes `DO UPDATE SET role = $1::text::role` and asks for `RETURNING role::text`. PostgreSQL calls both STABLE,
 * because a value of an enum may be renamed, and Citus takes nothing but IMMUTABLE there. Casts of our own say what holds
 * here: values are added, and never renamed (a migration could not do it while the release before serves). They go by
 * `varchar`, whose casts are PostgreSQL's own.
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

/** Whether that was done here before, so that enums which are new need it too. */
export async function areEnumsImmutable(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_proc WHERE proname = 'text_of_enum' LIMIT 1`)
  return rowCount === 1
}
