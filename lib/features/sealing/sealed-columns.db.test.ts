import fs from 'node:fs'
import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { sealedColumns } from './sealed-columns'

/** Columns of bytes that are not sealed, or under no key of ours. */
const others: Record<string, string> = {
  'api_tokens.hash': 'a hash',
  'email_tokens.hash': 'a hash',
  'former_keys.fingerprint': 'a hash',
  'invitations.hash': 'a hash',
  'keyed_requests.hash': 'a hash',
  'keyed_requests.sealed_answer': 'sealed under the key of the request that it answers, for a day',
  'oauth_artifacts.family': 'a hash',
  'oauth_artifacts.hash': 'a hash',
  'oauth_artifacts.replay': 'sealed under the token that it answers',
  'oauth_client_secrets.hash': 'a hash',
  'passkeys.public_key': 'public',
  'pending_sign_ins.hash': 'a hash',
  'pictures.data': 'a picture',
  'recovery_codes.hash': 'a hash; former-keys.ts keeps what it takes to compare it',
  'webauthn_challenges.hash': 'a hash',
}

it('every column of bytes is known either as sealed or as something else', async () => {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY name`,
  )
  const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name)).toEqual([...sealed, ...Object.keys(others)].sort())
})

it('is found by its primary key', async () => {
  for (const { table, key, keyType } of sealedColumns) {
    const { rows } = await pool().query(
      `SELECT a.attname AS key, format_type(a.atttypid, a.atttypmod) AS type
         FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
        WHERE i.indisprimary AND i.indrelid = $1::regclass`,
      [table],
    )
    expect(rows, table).toEqual([{ key, type: keyType }])
  }
})

it('goes, as the operator’s page says, when the key is lost: a start would be refused over what is left', () => {
  const page = fs.readFileSync('docs/operate/secrets.md', 'utf8')
  const deleted = [...page.matchAll(/^ {4}DELETE FROM (\w+);$/gm)].map(([, table]) => table)
  expect(deleted.sort()).toEqual(
    [...new Set([...sealedColumns.map(({ table }) => table), 'recovery_codes'])].sort(),
  )
})
