import { createHmac } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { derivedKeys } from '@/lib/base/credentials/seal'
import { withLongTimeout } from '@/lib/base/db/batches'
import { migrationNames } from '@/lib/generated/migration-names'

/** The first line of an export. */
const header = z.object({
  format: z.literal('latchkey-export'),
  version: z.literal(1),
  /** The newest migration of the release that wrote the export. */
  schema: z.string(),
  created: z.string(),
  /** A value that identifies the exporting instance's SECRET_KEY without revealing this key. */
  key: z.string(),
})

/** Returns an identifier for a key. The identifier does not reveal the key. */
const nameOf = (key: Buffer) => createHmac('sha256', key).update('latchkey export').digest('base64url')

const keyNames = () => derivedKeys('export').map(nameOf)

/** Returns the header of a new export. */
const newHeader = (): z.infer<typeof header> => ({
  format: 'latchkey-export',
  version: 1,
  schema: migrationNames.at(-1) as string,
  created: new Date().toISOString(),
  key: keyNames()[0] as string,
})

/** Returns whether a line is the header of a Latchkey export from any release. */
export const isExport = (line: string): boolean =>
  header.pick({ format: true }).safeParse(jsonOf(line)).success

/**
 * Reads the first line of an export.
 * @returns `underPresentKey`, whether the exporting instance had the same SECRET_KEY; if false, its
 * SECRET_KEY is one of the keys in SECRET_KEY_PREVIOUS
 * @throws Error if the line is not a header, if a newer release wrote the export, or if the settings do not
 * contain its key
 */
export function readHeader(line: string): { underPresentKey: boolean } {
  const parsed = header.safeParse(jsonOf(line))
  if (!parsed.success) throw new Error('This is not a Latchkey export: the first line is not a header.')
  const { schema, key } = parsed.data
  if (!migrationNames.includes(schema)) {
    throw new Error(
      `A newer release created this export (${schema}). Import it with that release or a later one.`,
    )
  }
  const index = keyNames().indexOf(key)
  if (index < 0) {
    throw new Error(
      'This export was encrypted with another SECRET_KEY. Add that key to SECRET_KEY_PREVIOUS, import, and run `latchkey reseal`.',
    )
  }
  return { underPresentKey: index === 0 }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Returns the last line of an export, which shows that the export is complete. */
export const lastLine = (rows: number): string => JSON.stringify({ end: true, rows })

/** A table in an export. */
export type TransferredTable = {
  name: string
  /** The SQL condition for the exported rows. Omitted if all rows are exported. */
  where?: string
}

const table = (name: string, where?: string): TransferredTable => ({ name, ...(where ? { where } : {}) })

/**
 * The tables in an export, each after the tables that it references. Most omitted tables contain short-lived
 * data or records of past events. move-users.db.test.ts lists the omitted tables with the reasons. See
 * ADR 0041.
 */
export const transferredTables: readonly TransferredTable[] = [
  table('changed_settings'),
  table('signing_keys'),
  table('former_keys'),
  table('users'),
  table('identities'),
  table('passkeys'),
  table('totp_secrets'),
  table('recovery_codes'),
  table('ssh_public_keys'),
  table('workspaces'),
  table('workspace_members'),
  table('removed_members'),
  table('notification_rules'),
  table('audit_streams'),
  table('projects'),
  table('project_members'),
  table('environments'),
  table('variables'),
  table('variable_changes'),
  table('invitations'),
  table('oauth_clients'),
  table('oauth_client_secrets'),
  table('app_domains'),
  table('webhooks'),
  table('workspace_apps'),
  table('workspace_app_projects'),
  table('workspace_app_requests'),
  table('installations'),
  table('workspace_identity_providers'),
  table('managed_apps'),
  table('managed_uses'),
  table('apis'),
  table('api_scopes'),
  table('api_credentials'),
  table('pictures'),
  table('authorizations'),
  table('api_grants'),
  table('api_tokens'),
  // Export only refresh tokens and registration tokens that have not expired, because apps keep them for
  // months. Access tokens are omitted, because they expire within an hour and apps fetch new access tokens.
  table('oauth_artifacts', `model IN ('RefreshToken', 'RegistrationAccessToken') AND expires_at > now()`),
]

/** The number of rows to read at a time. */
const batch = 200

/**
 * Exports a consistent snapshot of the tables in `transferredTables`. The instance can stay in use. The
 * export consists of a header, a line for each row (`{"table":"users","row":{...}}`), and a last line that
 * contains the number of rows and marks the export as complete.
 * @param write a function that receives lines, each with a line feed; the export waits for the returned
 * promise
 * @returns the number of rows of each table
 */
export const writeExport = (write: (lines: string) => Promise<void>): Promise<Map<string, number>> =>
  withLongTimeout(async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await write(`${JSON.stringify(newHeader())}\n`)
    const counts = new Map<string, number>()
    for (const { name, where = 'true' } of transferredTables) {
      // The interpolated texts are constants, never input.
      await client.query(
        `DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${name} t WHERE ${where}`,
      )
      counts.set(name, await writeRows(client, name, write))
      await client.query('CLOSE rows')
    }
    await client.query('COMMIT')
    await write(`${lastLine(sum(counts))}\n`)
    return counts
  })

async function writeRows(
  client: pg.Client,
  table: string,
  write: (lines: string) => Promise<void>,
): Promise<number> {
  for (let count = 0; ; ) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${batch} FROM rows`)
    // Keep the text from PostgreSQL, because JavaScript would round large numbers.
    if (rows.length > 0) await write(rows.map(({ row }) => `{"table":"${table}","row":${row}}\n`).join(''))
    count += rows.length
    if (rows.length < batch) return count
  }
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0)
