import { beforeAll, expect, it } from 'vitest'
import type { NumberedPage, NumberedRows } from '@/lib/base/db/numbered-page'
import { pool } from '@/lib/base/db/pool'
import type { SessionActor } from '@/lib/policy/actor'
import { countStatements } from '@/lib/testing/count-statements'
import { makePerson, makeWorkspace } from '@/lib/testing/factories'
import { searchProjects } from '../projects/search-projects'
import { searchMembers } from './list-members'
import { listOpenedWorkspaces } from './list-opened-workspaces'
import { searchWorkspaces } from './search-workspaces'

let actor: SessionActor
let workspaceId: string

/** Two hundred of everything that a person leafs through; what they are called is not the order they were made in. */
beforeAll(async () => {
  const person = await makePerson({ name: 'Zoe' })
  actor = { kind: 'session', userId: person.id, sessionId: 'none', instanceAdmin: false, twoFactor: true }
  workspaceId = (await makeWorkspace([[person, 'ADMIN']], { name: 'Zenith', slug: 'zenith' })).id
  await pool().query(
    `WITH made AS (
       INSERT INTO workspaces (id, name, slug, updated_at)
       SELECT gen_random_uuid(), 'Team ' || n, 'team-' || n, now() FROM generate_series(200, 1, -1) n RETURNING id)
     INSERT INTO workspace_members (workspace_id, user_id, role) SELECT id, $1, 'VIEWER' FROM made`,
    [person.id],
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
})

type Read = (page: NumberedPage, text: string) => Promise<NumberedRows<{ name: string }>>

/** Leafs from the first page to the last. @returns all names, in the order they were shown */
async function walk(read: Read, text = ''): Promise<string[]> {
  const names: string[] = []
  for (let number = 1; ; number++) {
    const { value: page, statements } = await countStatements(() => read({ number, size: 25 }, text))
    expect(statements).toHaveLength(1)
    names.push(...page.rows.map(({ name }) => name))
    if (number * 25 >= page.total) return names
  }
}

const counted = (name: string) => Array.from({ length: 200 }, (_, at) => `${name} ${at + 1}`)

const lists: [string, Read, string[]][] = [
  ['workspaces', (page, text) => searchWorkspaces(actor, text, page), [...counted('Team'), 'Zenith']],
  ['projects', (page, text) => searchProjects(actor, workspaceId, text, page), counted('Project')],
  ['members', (page, text) => searchMembers(workspaceId, text, null, page), [...counted('Member'), 'Zoe']],
]

it.each(lists)('%s: every page by one statement, each once, 2 before 10', async (_name, read, names) => {
  expect(await walk(read)).toEqual(names)
})

it.each(lists)('%s: a search finds a part of a name on whatever page it was', async (_name, read, all) => {
  const names = await walk(read, `${all[0]?.split(' ')[0]} 19`)
  expect(names.map((name) => Number(name.split(' ')[1]))).toEqual([
    19, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199,
  ])
})

it.each(lists)('%s: a page beyond the last is the first', async (_name, read, names) => {
  const page = await read({ number: 900, size: 25 }, '')
  expect(page).toMatchObject({ number: 1, total: names.length })
  expect(page.rows).toHaveLength(25)
})

it('members of one role alone', async () => {
  const { rows, total } = await searchMembers(workspaceId, '', 'ADMIN', { number: 1, size: 25 })
  expect([total, rows.map(({ name }) => name)]).toEqual([1, ['Zoe']])
})

it('the rail reads a few workspaces, and those opened lately, however many there are', async () => {
  const rows = await listOpenedWorkspaces(actor, ['team-77', 'not-there'], 12)
  expect(rows.length).toBeLessThanOrEqual(13)
  expect(rows.map(({ slug }) => slug)).toContain('team-77')
  const stranger = { ...actor, userId: (await makePerson()).id }
  expect(await listOpenedWorkspaces(stranger, ['team-77'], 12)).toEqual([])
})

it('leafs through 20,000 projects, and knows how many there are', async () => {
  const { id } = await makeWorkspace([[{ id: actor.userId }, 'VIEWER']])
  await pool().query(
    `INSERT INTO projects (id, workspace_id, name, updated_at)
     SELECT gen_random_uuid(), $1, 'Part ' || n, now() FROM generate_series(1, 20000) n`,
    [id],
  )
  const last = await searchProjects(actor, id, '', { number: 800, size: 25 })
  expect(last.total).toBe(20_000)
  expect(last.rows.at(-1)?.name).toBe('Part 20000')
})
