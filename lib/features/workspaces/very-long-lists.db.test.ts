import { beforeAll, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { namedRows, type ReadList } from '@/lib/testing/walk-list'
import { searchOwnTokens } from '../api-tokens/search-tokens'
import { searchApps } from '../apps/read-apps'
import { searchNotifications } from '../notifications/read-notifications'
import { searchProjects } from '../projects/search-projects'
import { searchWorkspaces } from './list-workspaces'
import { searchMembers } from './search-members'

const many = 20_000
let actor: SessionActor
let workspaceId: string

/** Creates 20,000 rows of each kind, in an order that differs from the order of every list. */
beforeAll(async () => {
  const { id } = await makeUser({ name: 'Zoe' })
  actor = { kind: 'session', userId: id, sessionId: 'none', instanceAdmin: false, twoFactor: true }
  workspaceId = (await makeWorkspace([[{ id }, 'ADMIN']], { name: 'Zenith' })).id
  const all = `generate_series(${many}, 1, -1) n`
  const statements: [sql: string, value: string][] = [
    [
      `WITH made AS (
         INSERT INTO workspaces (id, name, slug, updated_at)
         SELECT gen_random_uuid(), 'Team ' || n, 'many-' || n, now() FROM ${all} RETURNING id)
       INSERT INTO workspace_members (workspace_id, user_id, role) SELECT id, $1, 'VIEWER' FROM made`,
      id,
    ],
    [
      `INSERT INTO projects (id, workspace_id, name, updated_at)
       SELECT gen_random_uuid(), $1, 'Part ' || n, now() FROM ${all}`,
      workspaceId,
    ],
    [
      `WITH made AS (
         INSERT INTO users (id, name, email, updated_at)
         SELECT gen_random_uuid(), 'Member ' || n, 'one-of-many-' || n || '@example.test', now() FROM ${all} RETURNING id)
       INSERT INTO workspace_members (workspace_id, user_id, role) SELECT $1, id, 'MEMBER' FROM made`,
      workspaceId,
    ],
    [
      `INSERT INTO api_tokens (id, kind, name, hash, last_four, user_id)
       SELECT gen_random_uuid(), 'ACCOUNT', 'Token ' || n, sha256(('many' || n)::bytea), 'zz99', $1 FROM ${all}`,
      id,
    ],
    [
      `INSERT INTO oauth_clients (id, name, type, source, workspace_id, updated_at)
       SELECT 'many-' || n, 'App ' || n, 'WEB', 'SETTINGS', $1, now() FROM ${all}`,
      workspaceId,
    ],
    [
      `INSERT INTO notifications (id, user_id, type, title, body)
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'MEMBER_ADDED',
              'Event ' || (${many} + 1 - n), '' FROM ${all}`,
      id,
    ],
  ]
  for (const [sql, value] of statements) await pool().query(sql, [value])
})

const lists: [string, ReadList][] = [
  ['Team', (page, text) => searchWorkspaces(actor, text, page)],
  ['Part', (page, text) => searchProjects(actor, workspaceId, text, page)],
  ['Member', (page, text) => searchMembers(workspaceId, { text }, page)],
  ['Token', (page, text) => searchOwnTokens(actor, text, page)],
  ['App', (page, text) => searchApps(actor, workspaceId, text, page)],
  [
    'Event',
    async (page, text) =>
      namedRows(await searchNotifications(actor, text, false, page), ({ title }) => title),
  ],
]

it.each(lists)(
  'a list of 20,000 entries of the kind “%s” can be counted, sorted, and searched',
  async (kind, read) => {
    const first = await read({ number: 1, size: 25 }, `${kind} `)
    expect(first.total).toBe(many)
    expect(first.rows.map(({ name }) => name).slice(8, 11)).toEqual([9, 10, 11].map((n) => `${kind} ${n}`))
    const last = await read({ number: many / 25, size: 25 }, `${kind} `)
    expect(last.rows.at(-1)?.name).toBe(`${kind} ${many}`)
    const found = await read({ number: 1, size: 25 }, `${kind} 19999`)
    expect([found.total, found.rows.map(({ name }) => name)]).toEqual([1, [`${kind} 19999`]])
  },
)
