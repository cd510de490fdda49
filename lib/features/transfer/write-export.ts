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
  /** The newest migration of the release that wrote it. */
  schema: z.string(),
  created: z.string(),
  /** Tells whether a SECRET_KEY is the one that sealed what is in it, and nothing else. */
  key: z.string(),
})

/** Names a key without telling it. */
const nameOf = (key: Buffer) => createHmac('sha256', key).update('latchkey export').digest('base64url')

const keyNames = () => derivedKeys('export').map(nameOf)

/** The header of an export made now. */
const newHeader = (): z.infer<typeof header> => ({
  format: 'latchkey-export',
  version: 1,
  schema: migrationNames.at(-1) as string,
  created: new Date().toISOString(),
  key: keyNames()[0] as string,
})

/** Returns whether a line is the header of an export of Latchkey, of whatever release. */
export const isExport = (line: string): boolean =>
  header.pick({ format: true }).safeParse(jsonOf(line)).success

/**
 * Reads the first line of an export.
 * @returns whether SECRET_KEY sealed what is in it; otherwise one of SECRET_KEY_PREVIOUS did
 * @throws Error with one sentence when this release cannot take it, or has not its key
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

/** A table that an export holds. */
export type TransferredTable = {
  name: string
  /** Which of its rows; all of them unless it is said. */
  where?: string
}

const table = (name: string, where?: string): TransferredTable => ({ name, ...(where ? { where } : {}) })

/**
 * What an export holds, each table after those that it refers to. What is left out is over within days, or a record of
 * what has happened (transfer.db.test.ts names each).
 * See ADR 0052.
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
  table('pictures'),
  table('authorizations'),
  table('api_tokens'),
  // What apps hold for months: their own access ends within the hour, and they fetch a new one.
  table('oauth_artifacts', `model IN ('RefreshToken', 'RegistrationAccessToken') AND expires_at > now()`),
]

/** Rows read at a time. */
const batch = 200

/**
 * Hands over what this installation holds, line by line as of one moment, while it goes on being used: a header, a line for
 * each row (`{"table":"users","row":{...}}`), and one that says that nothing is missing.
 * @param write takes some lines, each with its line feed; what it returns is waited for
 * @returns how many rows of each table
 */
export const writeExport = (write: (lines: string) => Promise<void>): Promise<Map<string, number>> =>
  withLongTimeout(async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await write(`${JSON.stringify(newHeader())}\n`)
    const counts = new Map<string, number>()
    for (const { name, where = 'true' } of transferredTables) {
      // Names of ours, never a caller's text.
      await client.query(
        `DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${name} t WHERE ${where}`,
      )
      counts.set(name, await writeRows(client, name, write))
      await client.query('CLOSE rows')
    }
    await client.query('COMMIT')
    await write(`${JSON.stringify({ end: true, rows: sum(counts) })}\n`)
    return counts
  })

async function writeRows(
  client: pg.Client,
  table: string,
  write: (lines: string) => Promise<void>,
): Promise<number> {
  for (let count = 0; ; ) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${batch} FROM rows`)
    // As PostgreSQL wrote it: a number that JavaScript cannot hold stays whole.
    if (rows.length > 0) await write(rows.map(({ row }) => `{"table":"${table}","row":${row}}\n`).join(''))
    count += rows.length
    if (rows.length < batch) return count
  }
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0)
