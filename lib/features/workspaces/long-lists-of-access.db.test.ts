import { beforeAll, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import type { SessionActor } from '@/lib/policy/actor'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { namedRows, type ReadList, twoHundredNames, walkList } from '@/lib/testing/walk-list'
import { searchSessions } from '../identity/sessions/list-sessions'
import { searchInvitations } from './list-invitations'

/** Tests the lists of sessions and invitations with 200 entries each. */
let actor: SessionActor
let workspaceId: string
let projectId: string

beforeAll(async () => {
  const user = await makeUser()
  actor = { kind: 'session', userId: user.id, sessionId: 'none', instanceAdmin: false, twoFactor: true }
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  workspaceId = workspace.id
  projectId = (await makeProject(workspace, [], { name: 'Project 1' })).id
  // Sessions with higher numbers were used longer ago.
  await pool().query(
    `INSERT INTO sessions (id, user_id, methods, user_agent, last_used_at, expires_at)
     SELECT gen_random_uuid(), $1, '{pwd}', 'Browser ' || n, now() - n * interval '1 minute', now() + interval '1 day'
       FROM generate_series(200, 1, -1) n`,
    [user.id],
  )
  await pool().query(
    `INSERT INTO invitations (id, workspace_id, project_id, email, role, hash, expires_at)
     SELECT gen_random_uuid(), $1, $2, 'Guest ' || n, 'VIEWER', sha256(('guest' || n)::bytea), now()
       FROM generate_series(200, 1, -1) n`,
    [workspaceId, projectId],
  )
})

/**
 * For each list: its name, the function that reads it, all its entries in order, and the maximum number of
 * statements for a page.
 */
const lists: [string, ReadList, string[], number][] = [
  [
    'sessions',
    async (page, text) =>
      namedRows(await searchSessions(actor, text, page), ({ userAgent }) => String(userAgent)),
    twoHundredNames('Browser'),
    1,
  ],
  [
    'invitations',
    async (page, text) =>
      namedRows(await searchInvitations(actor, { workspaceId }, text, page), ({ email }) => email),
    twoHundredNames('Guest'),
    2,
  ],
  [
    'project invitations',
    async (page, text) =>
      namedRows(await searchInvitations(actor, { projectId }, text, page), ({ email }) => email),
    twoHundredNames('Guest'),
    2,
  ],
]

it.each(lists)(
  'the list of %s is returned in pages, in natural order, without duplicates, and with few statements',
  async (_name, read, names, most) => {
    expect(await walkList(read, '', most)).toEqual(names)
  },
)

it.each(lists)(
  'a search in the list of %s finds entries on all pages by part of their browser or email address',
  async (_name, read, all, most) => {
    const names = await walkList(read, `${all[0]?.split(' ')[0]} 19`, most)
    expect(names.map((name) => Number(name.split(' ')[1]))).toEqual([
      19, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199,
    ])
  },
)

it.each(lists)(
  'the list of %s returns the first page if the page number is too high',
  async (_name, read) => {
    expect(await read({ number: 900, size: 25 }, '')).toMatchObject({ number: 1, total: 200 })
  },
)

it('the list of sessions shows the current session first and contains only the user’s own sessions', async () => {
  const { rows } = await pool().query(`SELECT id FROM sessions WHERE user_agent = 'Browser 150'`)
  const asking = { ...actor, sessionId: String(rows[0].id) }
  const [first, second] = (await searchSessions(asking, '', { number: 1, size: 25 })).rows
  expect([first?.userAgent, first?.current, second?.userAgent, second?.current]).toEqual([
    'Browser 150',
    true,
    'Browser 1',
    false,
  ])
  const stranger = { ...actor, userId: (await makeUser()).id }
  expect((await searchSessions(stranger, 'Browser', { number: 1, size: 25 })).total).toBe(0)
})

it('a search in the list of invitations finds invitations by the name of their project', async () => {
  const page = { number: 1, size: 25 }
  expect((await searchInvitations(actor, { workspaceId }, 'project 1', page)).total).toBe(200)
  expect((await searchInvitations(actor, { workspaceId }, 'project 2', page)).total).toBe(0)
})
