import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { joinWorkspace, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import type { OAuthActor, UserActor } from './actor'
import {
  projectValues,
  roleInProject,
  roleInWorkspace,
  visibleProject,
  visibleProjects,
  visibleWorkspace,
  visibleWorkspaces,
  workspaceValues,
} from './visible'

/**
 * Tests that the SQL and the Prisma filter return the same results for every kind of caller, with and without
 * two-factor authentication, and for every way in which a user can have access to a workspace or project.
 */
type World = {
  userId: string
  workspaces: Record<'mine' | 'gated' | 'outside' | 'gatedOutside' | 'foreign', string>
  projects: Record<'mine' | 'both' | 'gated' | 'outside' | 'besides' | 'gatedOutside' | 'foreign', string>
}
let world: World

beforeAll(async () => {
  const [user, other] = [await makeUser(), await makeUser()]
  const workspace = async (gated: boolean, member: boolean) => {
    const made = await makeWorkspace([[other, 'ADMIN']])
    if (member) await joinWorkspace(made, user, 'VIEWER')
    return prisma().workspace.update({ where: { id: made.id }, data: { requireTwoFactor: gated } })
  }
  const [mine, gated] = [await workspace(false, true), await workspace(true, true)]
  const [outside, gatedOutside] = [await workspace(false, false), await workspace(true, false)]
  const foreign = await workspace(false, false)
  const project = async (of: { id: string }, member: boolean) =>
    (await makeProject(of, member ? [[user, 'MEMBER']] : [])).id
  world = {
    userId: user.id,
    workspaces: {
      mine: mine.id,
      gated: gated.id,
      outside: outside.id,
      gatedOutside: gatedOutside.id,
      foreign: foreign.id,
    },
    projects: {
      mine: await project(mine, false),
      both: await project(mine, true),
      gated: await project(gated, true),
      outside: await project(outside, true),
      besides: await project(outside, false),
      gatedOutside: await project(gatedOutside, true),
      foreign: await project(foreign, false),
    },
  }
})

const app = (scope: string, all: boolean): OAuthActor => ({
  kind: 'oauth',
  userId: world.userId,
  clientId: 'app',
  authorizationId: randomUUID(),
  scopes: new Set([scope]),
  workspaceIds: all ? Object.values(world.workspaces) : [world.workspaces.gated],
  projectIds: all ? Object.values(world.projects) : [world.projects.outside],
})
const token = () => ({ userId: world.userId, tokenId: randomUUID(), role: 'ADMIN' }) as const

const callers: [string, () => UserActor, workspaces: string[], projects: string[]][] = [
  [
    'a session',
    () => ({ kind: 'session', userId: world.userId, sessionId: randomUUID(), instanceAdmin: true }),
    ['mine', 'gated'],
    ['mine', 'both', 'gated', 'outside', 'gatedOutside'],
  ],
  [
    'an account token',
    () => ({ kind: 'account-token', ...token() }),
    ['mine', 'gated'],
    ['mine', 'both', 'gated', 'outside', 'gatedOutside'],
  ],
  [
    'a workspace token',
    () => ({ kind: 'workspace-token', workspaceId: world.workspaces.gated, ...token() }),
    ['gated'],
    ['gated'],
  ],
  [
    'a token for a workspace of external projects',
    () => ({ kind: 'workspace-token', workspaceId: world.workspaces.outside, ...token() }),
    [],
    ['outside'],
  ],
  [
    'a project token',
    () => ({ kind: 'project-token', projectId: world.projects.gatedOutside, ...token() }),
    [],
    ['gatedOutside'],
  ],
  [
    'an app with everything selected',
    () => app('workspace:viewer', true),
    ['mine', 'gated'],
    ['mine', 'both', 'gated', 'outside', 'gatedOutside'],
  ],
  ['an app with one selected workspace', () => app('workspace:viewer', false), ['gated'], ['gated']],
]

const gated = /^gated/

describe.each([
  ['two factors', true],
  ['one factor', false],
])('a caller with %s', (_title, twoFactor) => {
  const shown = (names: string[]) => names.filter((name) => twoFactor || !gated.test(name)).sort()

  it.each(callers)(
    '(%s) gets the same results from the SQL conditions and from the Prisma filter',
    async (_name, make, workspaces, projects) => {
      const actor = { ...make(), twoFactor }
      const namesOf = (rows: { id: string }[], of: Record<string, string>) =>
        rows.map(({ id }) => Object.keys(of).find((name) => of[name] === id)).sort()
      const select = async (sql: string, values: unknown[]) => (await pool().query(sql, values)).rows

      const bySql = await select(
        `SELECT w.id FROM workspaces w ${roleInWorkspace()} WHERE ${visibleWorkspace}`,
        workspaceValues(actor),
      )
      const byFilter = await prisma().workspace.findMany({ where: visibleWorkspaces(actor) })
      expect(namesOf(bySql, world.workspaces)).toEqual(shown(workspaces))
      expect(namesOf(byFilter, world.workspaces)).toEqual(shown(workspaces))

      const projectsBySql = await select(
        `SELECT p.id FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
        WHERE ${visibleProject}`,
        projectValues(actor),
      )
      const projectsByFilter = await prisma().project.findMany({ where: visibleProjects(actor) })
      expect(namesOf(projectsBySql, world.projects)).toEqual(shown(projects))
      expect(namesOf(projectsByFilter, world.projects)).toEqual(shown(projects))
    },
  )

  it('(an app with selected projects) sees only these projects and cannot list workspaces', async () => {
    const actor = { ...app('project:viewer', false), twoFactor }
    expect((await prisma().project.findMany({ where: visibleProjects(actor) })).map(({ id }) => id)).toEqual([
      world.projects.outside,
    ])
    for (const list of [workspaceValues, visibleWorkspaces]) {
      expect(() => list(actor)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }))
    }
  })
})
