import { beforeAll, describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import { joinWorkspace, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { fc } from '@/lib/testing/seeded-cases'
import type { OAuthActor } from './actor'
import { requireProject, requireWorkspace } from './require'
import { allScopes, type ResourceType, type Role, resourceOf, roleFromScopes, roleIncludes } from './scopes'
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
 * Tests random policies, approvals, blocks, roles, and scopes. An app must be able to do only what every one
 * of them allows, and lists must contain exactly the resources that single requests can read.
 */
type Rules = {
  policy: AppPolicy
  own: boolean
  role: Role
  token: string[]
  selected: { workspace: boolean; projects: boolean[] }
  decision: { blocked: boolean; scopes: string[]; projects: boolean[] | null; days: number | null } | null
}

const resourceScopes = allScopes.filter((scope) => resourceOf(scope))
const some = fc.subarray(resourceScopes, { minLength: 1 })
const both = fc.array(fc.boolean(), { minLength: 2, maxLength: 2 })
const rules: fc.Arbitrary<Rules> = fc.record({
  policy: fc.constantFrom<AppPolicy>('OPEN', 'APPROVED', 'APPROVED', 'APPROVED', 'OWN'),
  own: fc.boolean(),
  role: fc.constantFrom<Role>('VIEWER', 'MEMBER', 'ADMIN'),
  token: some,
  selected: fc.record({ workspace: fc.boolean(), projects: both }),
  decision: fc.option(
    fc.record({
      blocked: fc.boolean(),
      scopes: some,
      projects: fc.option(both, { nil: null }),
      days: fc.constantFrom(null, 1, -1),
    }),
    { nil: null },
  ),
})

let world: { userId: string; workspaceId: string; otherId: string; projectIds: string[]; clientId: string }
beforeAll(async () => {
  const [user, workspace, other] = [await makeUser(), await makeWorkspace(), await makeWorkspace()]
  await joinWorkspace(workspace, user, 'ADMIN')
  const projects = [await makeProject(workspace), await makeProject(workspace)]
  const { client } = await makeClient(other)
  world = {
    userId: user.id,
    workspaceId: workspace.id,
    otherId: other.id,
    projectIds: projects.map(({ id }) => id),
    clientId: client.id,
  }
})

async function write({ policy, role, decision }: Rules) {
  const { workspaceId, clientId, userId, projectIds } = world
  await prisma().workspace.update({ where: { id: workspaceId }, data: { appPolicy: policy } })
  await joinWorkspace({ id: workspaceId }, { id: userId }, role)
  await prisma().workspaceApp.deleteMany({ where: { workspaceId } })
  if (!decision) return
  const { blocked, scopes, projects, days } = decision
  await prisma().workspaceApp.create({
    data: {
      workspaceId,
      clientId,
      decision: blocked ? 'BLOCKED' : 'APPROVED',
      scopes,
      allProjects: projects === null,
      expiresAt: days === null ? null : new Date(Date.now() + days * 86_400_000),
      projects: {
        create: projectIds.filter((_, i) => projects?.[i]).map((projectId) => ({ projectId })),
      },
    },
  })
}

const actorOf = ({ own, token, selected }: Rules): OAuthActor => ({
  kind: 'oauth',
  userId: world.userId,
  clientId: world.clientId,
  appWorkspaceId: own ? world.workspaceId : world.otherId,
  authorizationId: 'authorization',
  scopes: new Set(token),
  workspaceIds: selected.workspace ? [world.workspaceId] : [],
  projectIds: world.projectIds.filter((_, i) => selected.projects[i]),
})

/**
 * Returns how much access the workspace allows the app. The functions below check the limits of an approval.
 */
function admitted({ policy, own, decision }: Rules): 'wholly' | 'as approved' | 'no' {
  if (decision?.blocked) return 'no'
  if (policy === 'OPEN' || own) return 'wholly'
  const live = decision && (decision.days === null || decision.days > 0)
  return policy === 'APPROVED' && live ? 'as approved' : 'no'
}

const reach = (scopes: string[], families: ResourceType[], needed: Role) =>
  families.some((family) => roleIncludes(roleFromScopes(new Set(scopes), family), needed))

/** Returns whether each factor alone would allow the role on the workspace. */
function allowedOnWorkspace(given: Rules, needed: Role): boolean {
  const { decision } = given
  const approved =
    decision !== null && decision.projects === null && reach(decision.scopes, ['workspace'], needed)
  const way = admitted(given)
  return (
    roleIncludes(given.role, needed) &&
    given.selected.workspace &&
    reach(given.token, ['workspace'], needed) &&
    (way === 'wholly' || (way === 'as approved' && approved))
  )
}

function allowedOnProject(given: Rules, index: number, needed: Role): boolean {
  const { decision, selected, token } = given
  const approved =
    decision !== null &&
    (decision.projects === null || decision.projects[index] === true) &&
    reach(decision.scopes, ['workspace', 'project'], needed)
  const shared =
    (selected.workspace && reach(token, ['workspace'], needed)) ||
    (selected.projects[index] === true && reach(token, ['project'], needed))
  const way = admitted(given)
  return (
    roleIncludes(given.role, needed) && shared && (way === 'wholly' || (way === 'as approved' && approved))
  )
}

const allowed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error) => {
      if (!isAppError(error)) throw error
      return false
    },
  )

/** Returns the IDs in a list, or none if the token has no scope for the list. */
const listed = async (read: () => Promise<{ id: string }[]>): Promise<string[]> => {
  try {
    return (await read()).map(({ id }) => id).sort()
  } catch (error) {
    if (!isAppError(error) || error.code !== 'INSUFFICIENT_SCOPE') throw error
    return []
  }
}

const permissions = {
  workspace: [
    ['workspace:read', 'VIEWER'],
    ['workspace:create-project', 'MEMBER'],
    ['workspace:update', 'ADMIN'],
  ],
  project: [
    ['project:read', 'VIEWER'],
    ['project:update', 'MEMBER'],
    ['project:delete', 'ADMIN'],
  ],
} as const

const workspaceList = `SELECT w.id FROM workspaces w ${roleInWorkspace()} WHERE ${visibleWorkspace}`
const projectList = `SELECT p.id FROM projects p JOIN workspaces w ON w.id = p.workspace_id
  ${roleInWorkspace()} ${roleInProject()} WHERE ${visibleProject}`

describe('the rights of an app in a workspace', () => {
  it('are limited by the user’s role, the token, the selection, and the app policy, in single requests and lists', {
    timeout: 60_000,
  }, async () => {
    let closed = 0
    await fc.assert(
      fc.asyncProperty(rules, async (given) => {
        await write(given)
        const actor = actorOf(given)
        for (const [permission, needed] of permissions.workspace) {
          expect(await allowed(requireWorkspace(actor, permission, world.workspaceId))).toBe(
            allowedOnWorkspace(given, needed),
          )
        }
        for (const [index, id] of world.projectIds.entries()) {
          for (const [permission, needed] of permissions.project) {
            expect(await allowed(requireProject(actor, permission, id))).toBe(
              allowedOnProject(given, index, needed),
            )
          }
        }
        const workspaces = allowedOnWorkspace(given, 'VIEWER') ? [world.workspaceId] : []
        const projects = world.projectIds
          .filter((_, index) => allowedOnProject(given, index, 'VIEWER'))
          .sort()
        if (admitted(given) === 'no') closed++
        const sql = async (text: string, values: unknown[]) => (await pool().query(text, values)).rows
        const reads: [() => Promise<{ id: string }[]>, string[]][] = [
          [() => prisma().workspace.findMany({ where: visibleWorkspaces(actor) }), workspaces],
          [() => prisma().project.findMany({ where: visibleProjects(actor) }), projects],
          [async () => sql(workspaceList, workspaceValues(actor)), workspaces],
          [async () => sql(projectList, projectValues(actor)), projects],
        ]
        for (const [read, shown] of reads) expect(await listed(read)).toEqual(shown)
      }),
      { numRuns: 40 },
    )
    expect(closed).toBeGreaterThan(3)
  })

  it('are enforced with an error that names the reason and the workspace, but do not limit the user’s sessions', async () => {
    const given: Rules = {
      policy: 'APPROVED',
      own: false,
      role: 'ADMIN',
      token: ['workspace:admin'],
      selected: { workspace: true, projects: [false, false] },
      decision: null,
    }
    const reason = async (change: Partial<Rules>) => {
      const now = { ...given, ...change }
      await write(now)
      return requireWorkspace(actorOf(now), 'workspace:update', world.workspaceId).then(
        () => 'ok',
        (error) => [error.code, error.details.reason, error.details.resource.id],
      )
    }
    const refusal = (why: string) => ['APP_NOT_APPROVED', why, world.workspaceId]
    const approval = { blocked: false, scopes: ['workspace:admin'], projects: null, days: null }
    expect(await reason({})).toEqual(refusal('not-approved'))
    expect(await reason({ policy: 'OWN' })).toEqual(refusal('own-apps-only'))
    expect(await reason({ decision: { ...approval, days: -1 } })).toEqual(refusal('ended'))
    expect(await reason({ decision: { ...approval, scopes: ['workspace:member'] } })).toEqual(
      refusal('beyond-approval'),
    )
    expect(await reason({ decision: approval })).toBe('ok')
    expect(await reason({ policy: 'OPEN', decision: { ...approval, blocked: true } })).toEqual(
      refusal('blocked'),
    )
    const session = { kind: 'session', userId: world.userId, sessionId: 's', instanceAdmin: false } as const
    await requireWorkspace(session, 'workspace:update', world.workspaceId)
  })
})
