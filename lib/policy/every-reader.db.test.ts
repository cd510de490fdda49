import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { listTokenPlaces } from '@/lib/features/api-tokens/list-api-tokens'
import { revokeProjectToken } from '@/lib/features/api-tokens/revoke-api-token'
import { searchOwnTokens } from '@/lib/features/api-tokens/search-tokens'
import { checkSelection } from '@/lib/features/apps/authorizations/save-authorization'
import { loadSelectable, nameSelection } from '@/lib/features/apps/authorizations/selectable'
import { findApps } from '@/lib/features/apps/read-apps'
import { listNotifications, searchNotifications } from '@/lib/features/notifications/read-notifications'
import { searchRules } from '@/lib/features/notifications/rules'
import { requireEnvironment } from '@/lib/features/projects/environments'
import {
  countProjects,
  countProjectsOf,
  listAllProjects,
  listNamedProjects,
  listProjects,
  listProjectsByName,
  listWorkspaceProjects,
} from '@/lib/features/projects/list-projects'
import { findProjects, searchProjects } from '@/lib/features/projects/search-projects'
import { listDestinations } from '@/lib/features/projects/transfer-project'
import { searchNames } from '@/lib/features/search/search-names'
import {
  listExternalWorkspaces,
  listOpenedWorkspaces,
  listReachableWorkspaces,
  listWorkspaces,
  searchWorkspaces,
  slugsOfWorkspaces,
} from '@/lib/features/workspaces/list-workspaces'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import type { Actor, SessionActor, UserActor } from './actor'
import { requireProject, requireProjects, requireWorkspace, requireWorkspaces } from './require'
import { sharesProjectOf, sharesWorkspaceOf } from './visible'

/**
 * Runs every query that reads workspaces or projects, with and without two-factor authentication, in a
 * workspace that requires it (ADR 0017).
 */

/** Files that import lib/policy/visible but are not tested here directly, each with the reason. */
const besides = {
  'lib/features/approvals/describe-arguments.ts':
    'names only what the reader of an approval page can see (approval-page.db.test.ts)',
  'lib/features/app-access/requests.ts': 'requires the permission to decide on apps',
  'lib/edges/oauth/engine/interaction-policy.ts': 'uses only the two fragments that are tested below',
  'lib/features/notifications/read-notifications.ts': 'lists the calling user’s own notifications',
  'lib/features/search/search-names.ts': 'is tested below through searchNames',
  'lib/features/projects/list-members.ts': 'has callers that require the project first',
  'lib/features/projects/list-projects.ts': 'is tested below through the lists of projects',
  'lib/features/workspaces/list-members.ts': 'has callers that require the workspace first',
}

const page = { limit: 50, backward: false, after: null, before: null }

async function setUp() {
  const [user, other] = [await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([
    [other, 'ADMIN'],
    [user, 'ADMIN'],
  ])
  const outside = await makeWorkspace([[other, 'ADMIN']])
  const left = await makeWorkspace([[other, 'ADMIN']])
  for (const { id } of [workspace, outside, left]) {
    await prisma().workspace.update({ where: { id }, data: { requireTwoFactor: true } })
  }
  const project = await makeProject(workspace)
  const external = await makeProject(outside, [[user, 'MEMBER']])
  const environment = await prisma().environment.create({ data: { projectId: project.id, name: 'test' } })
  await makeClient(workspace)
  for (const place of [{ workspace }, { project }]) await makeApiToken(user, place)
  const { row: token } = await makeApiToken(other, { project })
  for (const { id } of [workspace, left]) {
    await prisma().notification.create({
      data: { userId: user.id, workspaceId: id, type: 'MEMBER_ADDED', title: 'Hello', body: 'Hello' },
    })
  }
  return { userId: user.id, workspace, outside, project, external, environment, token }
}
type World = Awaited<ReturnType<typeof setUp>>
let world: World
beforeAll(async () => {
  world = await setUp()
})

type Reader<Who> = (actor: Who, world: World) => Promise<unknown[]>
const none = () => []
/** Returns the resource in a list, or an empty list if access is denied. */
const unlessRefused = (work: Promise<unknown>) => work.then((found) => [found], none)

/** Readers whose results are hidden from sessions and tokens without two-factor authentication. */
const closed: Record<string, Reader<UserActor>> = {
  'one workspace': (actor, { workspace }) =>
    unlessRefused(requireWorkspace(actor, 'workspace:read', workspace.id)),
  'one project': (actor, { project }) => unlessRefused(requireProject(actor, 'project:read', project.id)),
  'a project in which an external user has a role': (actor, { external }) =>
    unlessRefused(requireProject(actor, 'project:read', external.id)),
  'one environment': (actor, { environment }) =>
    unlessRefused(requireEnvironment(actor, 'project:read', environment.id)),
  'the workspaces': (actor) => listWorkspaces(actor),
  'workspaces loaded by ID': async (actor, { workspace }) =>
    (await requireWorkspaces(actor, 'workspace:read', [workspace.id])).filter(
      (each) => !(each instanceof Error),
    ),
  'projects loaded by ID': async (actor, { project }) =>
    (await requireProjects(actor, 'project:read', [project.id])).filter((each) => !(each instanceof Error)),
  'workspaces of external projects': (actor) => listExternalWorkspaces(actor),
  'all projects': async (actor) => (await listAllProjects(actor, page)).rows,
  'all projects in reverse order': async (actor) =>
    (await listAllProjects(actor, { ...page, backward: true })).rows,
  'the projects of workspaces': async (actor, { workspace, outside }) =>
    (await listProjects(actor, [workspace.id, outside.id], page)).flatMap(({ rows }) => rows),
  'projects found by a part of their names': async (actor) =>
    (await listNamedProjects(actor, { search: 'p' }, page)).rows,
  'projects sorted by name': async (actor) => (await listProjectsByName(actor, {}, page)).rows,
  'projects sorted by name in reverse order': async (actor) =>
    (await listProjectsByName(actor, {}, { ...page, backward: true })).rows,
  'the number of projects': async (actor) => Array(await countProjects(actor)).fill('one'),
  'the number of projects in each workspace': async (actor, { workspace, outside }) =>
    (await countProjectsOf(actor, [workspace.id, outside.id])).filter((count) => count > 0),
  'the projects of one workspace': (actor, { workspace }) =>
    listWorkspaceProjects(actor, workspace.id, page).then(({ rows }) => rows, none),
  'projects in the console’s list': async (actor, { workspace }) =>
    (await searchProjects(actor, workspace.id, '', { number: 1, size: 50 })).rows,
  'selectable workspaces': async (actor) =>
    (await loadSelectable(actor, { workspaces: true, projects: false })).workspaces,
  'selectable projects': async (actor) =>
    (await loadSelectable(actor, { workspaces: false, projects: true })).projects,
  'a selection for an app': (actor, { workspace, project }) =>
    unlessRefused(
      checkSelection(
        prisma(),
        actor,
        { clientId: 'an app', workspaceId: null },
        ['workspace:viewer', 'project:viewer'],
        {
          workspaceIds: [workspace.id],
          projectIds: [project.id],
        },
      ),
    ),
  'possible destinations of a project transfer': (actor, { outside }) => listDestinations(actor, outside.id),
  'the workspaces and projects of tokens': async (actor) =>
    (await searchOwnTokens(actor, '', { number: 1, size: 50 })).rows.filter(
      ({ place }) => typeof place === 'string',
    ),
  'search results': async (actor) => (await searchNames(actor, 'e', {})).rows,
  'notification rules of workspaces': async (actor) =>
    (await searchRules(actor, '', { number: 1, size: 50 })).rows,
}

/** Like `closed`, but for readers that only the console uses. */
const closedInConsole: Record<string, Reader<SessionActor>> = {
  'projects in the palette': (actor) => findProjects(actor, [], 50),
  'apps in the palette': (actor) => findApps(actor, [], 50),
  'the workspaces and projects that a token can be created for': listTokenPlaces,
}

/**
 * Readers that return results in all of the user's sessions: reachable workspaces, notifications, and
 * selections for apps.
 */
const open: Record<string, Reader<SessionActor>> = {
  'reachable workspaces': (actor) => listReachableWorkspaces(actor),
  'reachable workspaces by name': async (actor) =>
    (await searchWorkspaces(actor, '', { number: 1, size: 50 })).rows,
  'some reachable workspaces': (actor, { workspace }) => listOpenedWorkspaces(actor, [workspace.slug], 0),
  'the slugs of workspaces': async (actor, { workspace }) => [
    ...(await slugsOfWorkspaces(actor, [workspace.id])).values(),
  ],
  'the names of selected resources': async ({ userId }, { workspace, project }) =>
    Object.values(
      await nameSelection(userId, { workspaceIds: [workspace.id], projectIds: [project.id] }),
    ).flat(),
  'whether selected resources are still accessible': async ({ userId }, { workspace, external }) => {
    const app = { clientId: "'an app'", workspaceId: 'NULL' }
    const sql = `SELECT WHERE ${sharesWorkspaceOf('$2::uuid[]', '$1', app)} AND ${sharesProjectOf('$3::uuid[]', '$1', app)}`
    return (await pool().query(sql, [userId, [workspace.id], [external.id]])).rows
  },
  'the notifications of the user': async (actor) =>
    (await listNotifications(actor, { unreadOnly: false }, page)).rows,
  'the notifications in the console’s list': async (actor) =>
    (await searchNotifications(actor, '', false, { number: 1, size: 50 })).rows,
}

const session = (twoFactor: boolean): SessionActor => ({
  kind: 'session',
  userId: world.userId,
  sessionId: randomUUID(),
  instanceAdmin: true,
  twoFactor,
})
const token = (twoFactor: boolean): UserActor => ({
  kind: 'account-token',
  userId: world.userId,
  tokenId: randomUUID(),
  role: 'ADMIN',
  twoFactor,
})

describe('a workspace that requires two-factor authentication', () => {
  it.each(Object.entries(closed))(
    'hides %s from callers without two-factor authentication',
    async (_name, read) => {
      for (const actor of [session, token]) {
        expect((await read(actor(true), world)).length).toBeGreaterThan(0)
        expect(await read(actor(false), world)).toEqual([])
      }
    },
  )

  it.each(Object.entries(closedInConsole))(
    'hides %s from sessions without two-factor authentication',
    async (_name, read) => {
      expect((await read(session(true), world)).length).toBeGreaterThan(0)
      expect(await read(session(false), world)).toEqual([])
    },
  )

  it.each(Object.entries(open))(
    'shows %s even in sessions without two-factor authentication',
    async (_name, read) => {
      const strong = await read(session(true), world)
      expect(strong.length).toBeGreaterThan(0)
      expect(await read(session(false), world)).toEqual(strong)
    },
  )

  it('hides its notifications from tokens without two-factor authentication, even after the user has left', async () => {
    const read = async (actor: Actor) => (await listNotifications(actor, { unreadOnly: false }, page)).rows
    expect(await read(token(true))).toHaveLength(2)
    expect(await read(token(false))).toEqual([])
  })

  it('does not let callers without two-factor authentication revoke its project tokens', async () => {
    const revoke = (actor: Actor) => revokeProjectToken(actor, world.token.id)
    for (const actor of [session, token]) {
      await expect(revoke(actor(false))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await revoke(token(true))
  })
})

it('every file that uses the visibility rules is tested in this file or listed as an exception', () => {
  const own = fs.readFileSync(import.meta.filename, 'utf8')
  const takers = fs
    .readdirSync('lib', { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join('lib', file))
    .filter((file) => /^lib\/(?:features|edges|server)\/.*\.ts$/.test(file) && !/\.test\.ts$/.test(file))
    .filter((file) => fs.readFileSync(file, 'utf8').includes("'@/lib/policy/visible'"))
  expect(takers.length).toBeGreaterThan(15)
  const untried = takers.filter((file) => !own.includes(`'@/${file.slice(0, -3)}'`) && !(file in besides))
  expect(untried).toEqual([])
})
