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
 * Every query that leads to a workspace or a project, with and without two-factor authentication, in a workspace that
 * requires it (ADR 0017).
 */

/** Files that take lib/policy/visible and are not read here by themselves, and why. */
const besides = {
  'lib/features/approvals/describe-arguments.ts':
    'names only what the reader of an approval page sees; approval-page.db.test.ts',
  'lib/features/app-access/requests.ts': 'requires the permission to decide on apps',
  'lib/edges/oauth/engine/interaction-policy.ts': 'takes the two fragments that are tried below',
  'lib/features/notifications/read-notifications.ts': 'lists the notifications of the user who asks',
  'lib/features/search/search-names.ts': 'is what search-names.ts reads',
  'lib/features/projects/list-members.ts': 'its caller has required the project',
  'lib/features/projects/list-projects.ts': 'is what the lists of projects read',
  'lib/features/workspaces/list-members.ts': 'its caller has required the workspace',
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
/** What a refusal comes to: nothing was read. */
const unlessRefused = (work: Promise<unknown>) => work.then((found) => [found], none)

/** Hidden without two-factor authentication, for sessions and tokens. */
const closed: Record<string, Reader<UserActor>> = {
  'one workspace': (actor, { workspace }) =>
    unlessRefused(requireWorkspace(actor, 'workspace:read', workspace.id)),
  'one project': (actor, { project }) => unlessRefused(requireProject(actor, 'project:read', project.id)),
  'one project from outside': (actor, { external }) =>
    unlessRefused(requireProject(actor, 'project:read', external.id)),
  'one environment': (actor, { environment }) =>
    unlessRefused(requireEnvironment(actor, 'project:read', environment.id)),
  'the workspaces': (actor) => listWorkspaces(actor),
  'the workspaces that rows name': async (actor, { workspace }) =>
    (await requireWorkspaces(actor, 'workspace:read', [workspace.id])).filter(
      (each) => !(each instanceof Error),
    ),
  'the projects that rows name': async (actor, { project }) =>
    (await requireProjects(actor, 'project:read', [project.id])).filter((each) => !(each instanceof Error)),
  'workspaces known from outside': (actor) => listExternalWorkspaces(actor),
  'all projects': async (actor) => (await listAllProjects(actor, page)).rows,
  'all projects, from the end': async (actor) =>
    (await listAllProjects(actor, { ...page, backward: true })).rows,
  'the projects of workspaces': async (actor, { workspace, outside }) =>
    (await listProjects(actor, [workspace.id, outside.id], page)).flatMap(({ rows }) => rows),
  'projects with a text in their names': async (actor) =>
    (await listNamedProjects(actor, { search: 'p' }, page)).rows,
  'projects in the order of their names': async (actor) => (await listProjectsByName(actor, {}, page)).rows,
  'projects in the order of their names, from the end': async (actor) =>
    (await listProjectsByName(actor, {}, { ...page, backward: true })).rows,
  'how many projects there are': async (actor) => Array(await countProjects(actor)).fill('one'),
  'how many projects workspaces have': async (actor, { workspace, outside }) =>
    (await countProjectsOf(actor, [workspace.id, outside.id])).filter((count) => count > 0),
  'the projects of one workspace': (actor, { workspace }) =>
    listWorkspaceProjects(actor, workspace.id, page).then(({ rows }) => rows, none),
  'projects by name': async (actor, { workspace }) =>
    (await searchProjects(actor, workspace.id, '', { number: 1, size: 50 })).rows,
  'workspaces to share': async (actor) =>
    (await loadSelectable(actor, { workspaces: true, projects: false })).workspaces,
  'projects to share': async (actor) =>
    (await loadSelectable(actor, { workspaces: false, projects: true })).projects,
  'a selection to share': (actor, { workspace, project }) =>
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
  'workspaces to move a project to': (actor, { outside }) => listDestinations(actor, outside.id),
  'what tokens are for': async (actor) =>
    (await searchOwnTokens(actor, '', { number: 1, size: 50 })).rows.filter(
      ({ place }) => typeof place === 'string',
    ),
  'what has a name': async (actor) => (await searchNames(actor, 'e', {})).rows,
  'rules of workspaces': async (actor) => (await searchRules(actor, '', { number: 1, size: 50 })).rows,
}

/** The same, where only the console reads. */
const closedInConsole: Record<string, Reader<SessionActor>> = {
  'projects in the palette': (actor) => findProjects(actor, [], 50),
  'apps in the palette': (actor) => findApps(actor, [], 50),
  'what a token can be made for': listTokenPlaces,
}

/** Readers that answer in any session of the user: workspaces they can open, their notifications and what they have shared. */
const open: Record<string, Reader<SessionActor>> = {
  'reachable workspaces': (actor) => listReachableWorkspaces(actor),
  'reachable workspaces by name': async (actor) =>
    (await searchWorkspaces(actor, '', { number: 1, size: 50 })).rows,
  'some reachable workspaces': (actor, { workspace }) => listOpenedWorkspaces(actor, [workspace.slug], 0),
  'the addresses of workspaces': async (actor, { workspace }) => [
    ...(await slugsOfWorkspaces(actor, [workspace.id])).values(),
  ],
  'what was shared': async ({ userId }, { workspace, project }) =>
    Object.values(
      await nameSelection(userId, { workspaceIds: [workspace.id], projectIds: [project.id] }),
    ).flat(),
  'whether anything shared remains': async ({ userId }, { workspace, external }) => {
    const app = { clientId: "'an app'", workspaceId: 'NULL' }
    const sql = `SELECT WHERE ${sharesWorkspaceOf('$2::uuid[]', '$1', app)} AND ${sharesProjectOf('$3::uuid[]', '$1', app)}`
    return (await pool().query(sql, [userId, [workspace.id], [external.id]])).rows
  },
  'the notifications of the user': async (actor) =>
    (await listNotifications(actor, { unreadOnly: false }, page)).rows,
  'the notifications that the console lists': async (actor) =>
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
  it.each(Object.entries(closed))('hides %s from callers without it', async (_name, read) => {
    for (const actor of [session, token]) {
      expect((await read(actor(true), world)).length).toBeGreaterThan(0)
      expect(await read(actor(false), world)).toEqual([])
    }
  })

  it.each(Object.entries(closedInConsole))('hides %s from sessions without it', async (_name, read) => {
    expect((await read(session(true), world)).length).toBeGreaterThan(0)
    expect(await read(session(false), world)).toEqual([])
  })

  it.each(Object.entries(open))('shows %s in every session', async (_name, read) => {
    const strong = await read(session(true), world)
    expect(strong.length).toBeGreaterThan(0)
    expect(await read(session(false), world)).toEqual(strong)
  })

  it('hides its notifications from a token without it, also after the user has left', async () => {
    const read = async (actor: Actor) => (await listNotifications(actor, { unreadOnly: false }, page)).rows
    expect(await read(token(true))).toHaveLength(2)
    expect(await read(token(false))).toEqual([])
  })

  it('rejects its project tokens for callers without it', async () => {
    const revoke = (actor: Actor) => revokeProjectToken(actor, world.token.id)
    for (const actor of [session, token]) {
      await expect(revoke(actor(false))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await revoke(token(true))
  })
})

it('is covered for every file that uses its rules', () => {
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
