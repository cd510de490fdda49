import { beforeAll, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import { listAllProjects } from '@/lib/features/projects/list-projects'
import { listWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import { makeInstallationToken } from '@/lib/testing/access-token'
import { makeProject, makeWorkspace } from '@/lib/testing/factories'
import { fc } from '@/lib/testing/seeded-cases'
import { callerFromBearer } from './bearer'
import { type Permission, permissions } from './permissions'
import { requireProject, requireWorkspace } from './require'
import { type ResourceType, type Role, roleFromScopes, roleIncludes } from './scopes'
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
 * Tests random policies, decisions, scopes, and selections with every permission and with the lists. An
 * installed app must be able to do only what every one of them allows, and only in the workspace where it is
 * installed.
 */
type Given = {
  policy: AppPolicy
  own: boolean
  decision: 'APPROVED' | 'BLOCKED' | null
  installed: string[]
  token: string[]
  selected: boolean[] | null
}

const scopes = ['workspace:member', 'workspace:viewer', 'project:member', 'project:viewer']
const some = fc.subarray(scopes, { minLength: 1 })
const anything: fc.Arbitrary<Given> = fc.record({
  policy: fc.constantFrom<AppPolicy>('OPEN', 'APPROVED', 'OWN'),
  own: fc.boolean(),
  decision: fc.constantFrom('APPROVED', 'BLOCKED', null, null),
  installed: some,
  token: some,
  selected: fc.option(fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }), { nil: null }),
})

let world: { id: string; projects: { id: string }[]; elsewhere: { id: string; project: { id: string } } }
beforeAll(async () => {
  const [workspace, other] = [await makeWorkspace(), await makeWorkspace()]
  const projects = [await makeProject(workspace), await makeProject(workspace)]
  world = { id: workspace.id, projects, elsewhere: { id: other.id, project: await makeProject(other) } }
})

const allowed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error) => {
      if (!isAppError(error)) throw error
      return false
    },
  )

const ids = async (read: Promise<{ id: string }[]>): Promise<string[]> =>
  read.then(
    (rows) => rows.map(({ id }) => id).sort(),
    (error) => {
      if (!isAppError(error) || error.code !== 'INSUFFICIENT_SCOPE') throw error
      return []
    },
  )

it('an app installation is limited by the app policy, its grant, and its token, both in single requests and in lists', {
  timeout: 120_000,
}, async () => {
  let shut = 0
  await fc.assert(
    fc.asyncProperty(anything, async ({ policy, own, decision, installed, token, selected }) => {
      const { id, projects, elsewhere } = world
      await prisma().installation.deleteMany()
      const chosen = selected && projects.filter((_, index) => selected[index])
      const made = await makeInstallationToken(
        { workspace: { id }, scopes: installed, ...(chosen ? { projects: chosen } : {}) },
        { tokenScopes: token },
      )
      const clientId = made.client.id
      await prisma().workspace.update({ where: { id }, data: { appPolicy: policy } })
      await prisma().oAuthClient.update({
        where: { id: clientId },
        data: { workspaceId: own ? id : elsewhere.id },
      })
      const judged = { workspaceId: id, clientId, scopes: ['project:viewer'] }
      if (decision) await prisma().workspaceApp.create({ data: { ...judged, decision } })

      const caller = await callerFromBearer(made.token)
      const comesIn = decision !== 'BLOCKED' && (policy !== 'OWN' || own)
      expect(caller !== undefined).toBe(comesIn)
      if (!caller) return void shut++
      const { actor } = caller

      const reach = (families: ResourceType[], needed: Role) =>
        needed !== 'ADMIN' &&
        families.some((family) =>
          [installed, token].every((each) => roleIncludes(roleFromScopes(new Set(each), family), needed)),
        )
      const inWorkspace = (needed: Role) => selected === null && reach(['workspace'], needed)
      const inProject = (index: number, needed: Role) =>
        selected === null
          ? reach(['workspace'], needed)
          : selected[index] === true && reach(['project'], needed)

      for (const [name, { on, role }] of Object.entries(permissions)) {
        const permission = name as Permission
        if (on === 'workspace') {
          const asked = requireWorkspace(actor, permission as never, id)
          expect(await allowed(asked), name).toBe(inWorkspace(role))
          expect(await allowed(requireWorkspace(actor, permission as never, elsewhere.id))).toBe(false)
          continue
        }
        for (const [index, project] of projects.entries()) {
          const asked = requireProject(actor, permission as never, project.id)
          expect(await allowed(asked), name).toBe(inProject(index, role))
        }
        expect(await allowed(requireProject(actor, permission as never, elsewhere.project.id))).toBe(false)
      }

      const sql = async (text: string, values: () => unknown[]) => (await pool().query(text, values())).rows
      const seenWorkspaces = inWorkspace('VIEWER') ? [id] : []
      const seenProjects = projects
        .filter((_, index) => inProject(index, 'VIEWER'))
        .map((each) => each.id)
        .sort()
      const page = { limit: 10, backward: false, after: null, before: null }
      const lists: [() => Promise<{ id: string }[]>, string[]][] = [
        [() => listWorkspaces(actor), seenWorkspaces],
        [async () => prisma().workspace.findMany({ where: visibleWorkspaces(actor) }), seenWorkspaces],
        [() => sql(ofWorkspaces, () => workspaceValues(actor)), seenWorkspaces],
        [async () => (await listAllProjects(actor, page)).rows, seenProjects],
        [async () => prisma().project.findMany({ where: visibleProjects(actor) }), seenProjects],
        [() => sql(ofProjects, () => projectValues(actor)), seenProjects],
      ]
      for (const [read, shown] of lists) expect(await ids(read())).toEqual(shown)
    }),
    { numRuns: 60 },
  )
  expect(shut).toBeGreaterThan(3)
})

const ofWorkspaces = `SELECT w.id FROM workspaces w ${roleInWorkspace()} WHERE ${visibleWorkspace}`
const ofProjects = `SELECT p.id FROM projects p JOIN workspaces w ON w.id = p.workspace_id
  ${roleInWorkspace()} ${roleInProject()} WHERE ${visibleProject}`
