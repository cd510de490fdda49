import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { graphqlLimits } from '@/lib/base/config/limits'
import { endConnections } from '@/lib/base/db/pool'
import { openBreakableDatabasePath } from '@/lib/testing/database-path'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const direct = new pg.Client({ connectionString: config().DATABASE_URL })
const path = await openBreakableDatabasePath(600)
const limits = { ...graphqlLimits }
const api = serveGraphQL(limits)
let token = ''
let id = ''

beforeAll(async () => {
  await direct.connect()
  const user = await makeUser()
  token = (await makeApiToken(user)).token
  id = (await makeProject(await makeWorkspace([[user, 'ADMIN']]))).id
  // The first request loads modules and opens connections, which must not count against the timeouts.
  await api.execute(token, 'query ($id: ID!) { notificationsUnread project(projectId: $id) { id } }', { id })
  limits.timeoutMs = 2_000
})
// Close the hanging connection. Otherwise, the next test would wait for it.
afterEach(() => {
  path.become('refused')
  path.become('open')
})
afterAll(async () => {
  path.close()
  await endConnections().catch(() => undefined)
  await direct.end()
})

/**
 * Executes an operation, and interrupts the database connection while its statement waits for a table lock.
 */
async function loseMidway(table: string, query: string) {
  await direct.query('BEGIN')
  await direct.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  try {
    const answer = api.execute(token, query, { id })
    while ((await waitingFor(table)) === 0);
    path.become('silent')
    return await answer
  } finally {
    await direct.query('ROLLBACK')
  }
}

const waitingFor = async (table: string): Promise<number> =>
  (await direct.query('SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted', [table])).rows
    .length

it('a query fails with status 503 after the timeout if the database stops responding', async () => {
  const { status, headers, data, errors } = await loseMidway('notifications', '{ notificationsUnread }')
  expect({ status, data, code: errors?.[0]?.extensions.code }).toEqual({
    status: 503,
    data: null,
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(headers.get('retry-after')).not.toBeNull()
})

it('a mutation fails with status 200 and no Retry-After header if the database stops responding after a change', async () => {
  const query = `mutation ($id: ID!) {
    environmentCreate(input: { projectId: $id, name: "staging" }) { id }
    sshPublicKeyDelete(id: $id)
  }`
  const { status, headers, data, errors } = await loseMidway('ssh_public_keys', query)
  expect({ status, data, code: errors?.[0]?.extensions.code }).toEqual({
    status: 200,
    data: null,
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(headers.get('retry-after')).toBeNull()
  const { rows } = await direct.query('SELECT name FROM environments WHERE project_id = $1 ORDER BY name', [
    id,
  ])
  expect(rows).toContainEqual({ name: 'staging' })
})
