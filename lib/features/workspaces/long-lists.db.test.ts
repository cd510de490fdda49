import { beforeAll, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { namedRows, type ReadList, twoHundredNames, walkList } from '@/lib/testing/walk-list'
import { searchOwnTokens, searchProjectTokens, searchWorkspaceTokens } from '../api-tokens/search-tokens'
import { searchAuthorizations } from '../apps/authorizations/list-authorizations'
import { searchApps } from '../apps/read-apps'
import { searchSshKeys } from '../identity/ssh-keys'
import { searchNotifications } from '../notifications/read-notifications'
import { searchRules } from '../notifications/rules'
import { searchProjectMembers } from '../projects/list-members'
import { searchProjects } from '../projects/search-projects'
import { listOpenedWorkspaces, searchWorkspaces } from './list-workspaces'
import { searchMembers } from './search-members'

let actor: SessionActor
let workspaceId: string
let projectId: string

/** Creates 200 entries for each paginated list, but not in the order of their names. */
beforeAll(async () => {
  const user = await makeUser({ name: 'Zoe' })
  actor = { kind: 'session', userId: user.id, sessionId: 'none', instanceAdmin: false, twoFactor: true }
  workspaceId = (await makeWorkspace([[user, 'ADMIN']], { name: 'Zenith', slug: 'zenith' })).id
  await pool().query(
    `WITH made AS (
       INSERT INTO workspaces (id, name, slug, updated_at)
       SELECT gen_random_uuid(), 'Team ' || n, 'team-' || n, now() FROM generate_series(200, 1, -1) n RETURNING id)
     INSERT INTO workspace_members (workspace_id, user_id, role) SELECT id, $1, 'VIEWER' FROM made`,
    [user.id],
  )
  await pool().query(
    `INSERT INTO projects (id, workspace_id, name, updated_at)
     SELECT gen_random_uuid(), $1, 'Project ' || n, now() FROM generate_series(200, 1, -1) n`,
    [workspaceId],
  )
  await pool().query(
    `WITH made AS (
       INSERT INTO users (id, name, email, updated_at)
       SELECT gen_random_uuid(), 'Member ' || n, 'member-' || n || '@example.test', now()
         FROM generate_series(200, 1, -1) n RETURNING id)
     INSERT INTO workspace_members (workspace_id, user_id, role)
     SELECT $1, id, 'MEMBER' FROM made`,
    [workspaceId],
  )
  await addWhatIsForTheUser(user.id)
})

/**
 * Creates project tokens, apps in two workspaces, authorizations, project members, SSH keys, and
 * notifications.
 */
async function addWhatIsForTheUser(userId: string) {
  const project = await pool().query(`SELECT id FROM projects WHERE name = 'Project 1'`)
  projectId = project.rows[0].id
  await pool().query(
    `INSERT INTO api_tokens (id, kind, name, hash, last_four, user_id, project_id)
     SELECT gen_random_uuid(), 'PROJECT', 'Token ' || n, sha256(n::text::bytea), 'zz99', $1, $2
       FROM generate_series(200, 1, -1) n`,
    [userId, projectId],
  )
  const elsewhere = await makeWorkspace([[await makeUser(), 'ADMIN']])
  await pool().query(
    `INSERT INTO oauth_clients (id, name, type, source, workspace_id, updated_at)
     SELECT kind || n, kind || ' ' || n, 'WEB', 'SETTINGS', CASE kind WHEN 'App' THEN $1::uuid ELSE $2 END, now()
       FROM unnest('{App,Service}'::text[]) kind, generate_series(200, 1, -1) n`,
    [workspaceId, elsewhere.id],
  )
  await pool().query(
    `INSERT INTO authorizations (id, user_id, client_id, last_used_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Service' || n, now() - n * interval '1 hour', now()
       FROM generate_series(200, 1, -1) n`,
    [userId],
  )
  await pool().query(
    `INSERT INTO project_members (project_id, user_id, role)
     SELECT $1, id, 'VIEWER' FROM users WHERE name LIKE 'Member %'`,
    [projectId],
  )
  await pool().query(
    `INSERT INTO ssh_public_keys (id, user_id, name, public_key, fingerprint)
     SELECT gen_random_uuid(), $1, 'Key ' || n, 'ssh-ed25519 AAAA', 'SHA256:ab' || lpad(n::text, 3, '0')
       FROM generate_series(200, 1, -1) n`,
    [userId],
  )
  await pool().query(
    `INSERT INTO notifications (id, user_id, type, title, body, read_at)
     SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'MEMBER_ADDED', 'Event ' || (201 - n), '',
            CASE WHEN n > 1 THEN now() END
       FROM generate_series(1, 200) n`,
    [userId],
  )
}

/**
 * For each list: its name, the function that reads it, all its entries in order, and the maximum number of
 * statements for a page.
 */
const lists: [string, ReadList, string[], number?][] = [
  ['workspaces', (page, text) => searchWorkspaces(actor, text, page), [...twoHundredNames('Team'), 'Zenith']],
  ['projects', (page, text) => searchProjects(actor, workspaceId, text, page), twoHundredNames('Project')],
  [
    'members',
    (page, text) => searchMembers(workspaceId, { text }, page),
    [...twoHundredNames('Member'), 'Zoe'],
  ],
  [
    'project members',
    (page, text) => searchProjectMembers(actor, projectId, text, page),
    twoHundredNames('Member'),
  ],
  ['SSH keys', (page, text) => searchSshKeys(actor, text, page), twoHundredNames('Key')],
  ['own tokens', (page, text) => searchOwnTokens(actor, text, page), twoHundredNames('Token'), 4],
  [
    'workspace tokens',
    (page, text) => searchWorkspaceTokens(actor, workspaceId, text, page),
    twoHundredNames('Token'),
    2,
  ],
  [
    'project tokens',
    (page, text) => searchProjectTokens(actor, projectId, text, page),
    twoHundredNames('Token'),
    2,
  ],
  ['OAuth apps', (page, text) => searchApps(actor, workspaceId, text, page), twoHundredNames('App'), 2],
  [
    'authorized apps',
    async (page, text) => namedRows(await searchAuthorizations(actor, text, page), ({ app }) => app.name),
    twoHundredNames('Service'),
    8,
  ],
  [
    'notifications',
    async (page, text) =>
      namedRows(await searchNotifications(actor, text, false, page), ({ title }) => title),
    twoHundredNames('Event'),
  ],
]

it.each(lists)(
  'the list of %s is returned in pages, in natural order, without duplicates, and with few statements',
  async (_name, read, names, most) => {
    expect(await walkList(read, '', most)).toEqual(names)
  },
)

it.each(lists)(
  'a search in the list of %s finds entries on all pages by part of their name',
  async (_name, read, all, most) => {
    const names = await walkList(read, `${all[0]?.split(' ')[0]} 19`, most)
    expect(names.map((name) => Number(name.split(' ')[1]))).toEqual([
      19, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199,
    ])
  },
)

it.each(lists)(
  'the list of %s returns the first page if the page number is too high',
  async (_name, read, names) => {
    const page = await read({ number: 900, size: 25 }, '')
    expect(page).toMatchObject({ number: 1, total: names.length })
    expect(page.rows).toHaveLength(25)
  },
)

it('a search in the list of SSH keys finds the user’s own keys by fingerprint', async () => {
  const found = await searchSshKeys(actor, 'sha256:ab077', { number: 1, size: 25 })
  expect(found.rows.map(({ name }) => name)).toEqual(['Key 77'])
  const stranger = { ...actor, userId: (await makeUser()).id }
  expect((await searchSshKeys(stranger, '', { number: 1, size: 25 })).total).toBe(0)
})

it('the list of notifications can be limited to unread notifications', async () => {
  const { rows, total } = await searchNotifications(actor, '', true, { number: 1, size: 25 })
  expect([total, rows.map(({ title }) => title)]).toEqual([1, ['Event 200']])
})

it('a search in the list of tokens finds the user’s own tokens by their last four characters', async () => {
  expect((await searchOwnTokens(actor, 'ZZ99', { number: 8, size: 25 })).total).toBe(200)
  const stranger = { ...actor, userId: (await makeUser()).id }
  expect(await searchOwnTokens(stranger, 'zz99', { number: 1, size: 25 })).toMatchObject({
    total: 0,
    rows: [],
  })
})

it('the notification rules of 200 workspaces are returned in pages', async () => {
  await pool().query(`UPDATE workspace_members SET role = 'ADMIN' WHERE user_id = $1`, [actor.userId])
  const third = await searchRules(actor, 'team', { number: 3, size: 25 })
  expect([third.total, third.rows.map(({ workspace }) => workspace.name)]).toEqual([
    200,
    twoHundredNames('Team').slice(50, 75),
  ])
  expect((await searchRules(actor, '', { number: 90, size: 25 })).number).toBe(1)
})

it('the list of members can be filtered by role', async () => {
  const { rows, total } = await searchMembers(
    workspaceId,
    { text: '', role: 'ADMIN' },
    { number: 1, size: 25 },
  )
  expect([total, rows.map(({ name }) => name)]).toEqual([1, ['Zoe']])
})

it('listOpenedWorkspaces returns the user’s recently opened workspaces and a limited number of others', async () => {
  const rows = await listOpenedWorkspaces(actor, ['team-77', 'not-there'], 12)
  expect(rows.length).toBeLessThanOrEqual(13)
  expect(rows.map(({ slug }) => slug)).toContain('team-77')
  const stranger = { ...actor, userId: (await makeUser()).id }
  expect(await listOpenedWorkspaces(stranger, ['team-77'], 12)).toEqual([])
})
