import path from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { createBlankDatabase } from '@/lib/testing/database'

const change = 'signatures_of_existing_apps'

it('the migration keeps the ID token algorithm of registered apps that were created before RS256 became the default', async () => {
  const url = await createBlankDatabase()
  const all = readMigrations(path.resolve('prisma/migrations'))
  const at = all.findIndex(({ name }) => name.endsWith(change))
  await migrate(url, all.slice(0, at))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `INSERT INTO oauth_clients (id, source, type, name, redirect_uris, metadata, updated_at) VALUES
       ('silent', 'SETTINGS', 'WEB', 'A', '{}', '{"tos_uri": "https://a.example"}', now()),
       ('chosen', 'SETTINGS', 'WEB', 'B', '{}', '{"id_token_signed_response_alg": "EdDSA"}', now()),
       ('dyn_agent', 'DYNAMIC', 'NATIVE', 'C', '{}', '{}', now()),
       ('https://agent.example', 'METADATA_DOCUMENT', 'NATIVE', 'D', '{}', '{}', now())`,
  )
  await migrate(url, all)
  const { rows } = await client.query('SELECT id, metadata FROM oauth_clients ORDER BY id')
  await client.end()
  expect(Object.fromEntries(rows.map(({ id, metadata }) => [id, metadata]))).toEqual({
    silent: { tos_uri: 'https://a.example', id_token_signed_response_alg: 'ES256' },
    chosen: { id_token_signed_response_alg: 'EdDSA' },
    dyn_agent: { id_token_signed_response_alg: 'ES256' },
    'https://agent.example': {},
  })
})
