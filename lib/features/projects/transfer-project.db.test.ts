import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { Role } from '@/lib/generated/prisma/enums'
import { callerFromBearer } from '@/lib/policy/bearer'
import { requireProject } from '@/lib/policy/require'
import { makeAccessToken } from '@/lib/testing/access-token'
import { joinWorkspace, makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { maxProjects } from './create-project'
import { transferProject } from './transfer-project'

type Named = { id: string }
let ada: Named
let from: Named
let to: Named
let project: Named

beforeEach(async () => {
  ada = await makeUser()
  from = await makeWorkspace([[ada, 'ADMIN']])
  to = await makeWorkspace([[ada, 'ADMIN']])
  project = await makeProject(from)
})

const session = (user: Named) =>
  ({ kind: 'session', userId: user.id, sessionId: 's', instanceAdmin: false }) as const
const move = (actor: Parameters<typeof transferProject>[0] = session(ada)) =>
  transferProject(actor, { projectId: project.id, workspaceId: to.id }).then(
    () => 'moved',
    (error) => error.code as string,
  )
const workspaceNow = async () =>
  (await prisma().project.findUniqueOrThrow({ where: { id: project.id } })).workspaceId
/** Tries to access the project with a token and returns the outcome. */
const reads = async (token: string) => {
  const caller = await callerFromBearer(token)
  if (!caller) return 'dead'
  return requireProject(caller.actor, 'project:update', project.id).then(
    () => 'ok',
    (error) => error.code as string,
  )
}

describe('a project transfer', () => {
  const roles = [undefined, 'VIEWER', 'MEMBER', 'ADMIN'] as const
  it.each(roles.flatMap((here) => roles.map((there) => [here, there] as const)))(
    'requires the ADMIN role in both workspaces (current: %s, destination: %s)',
    async (here, there) => {
      const user = await makeUser()
      const roleIn = (workspace: Named, role: Role | undefined) =>
        role ? joinWorkspace(workspace, user, role) : undefined
      await roleIn(from, here)
      await roleIn(to, there)
      const outcome =
        here === undefined || (here === 'ADMIN' && there === undefined)
          ? 'NOT_FOUND'
          : here === 'ADMIN' && there === 'ADMIN'
            ? 'moved'
            : 'FORBIDDEN'
      expect(await move(session(user))).toBe(outcome)
      expect(await workspaceNow()).toBe(outcome === 'moved' ? to.id : from.id)
    },
  )

  it('is rejected for an admin of the project and the destination who has no role in the current workspace', async () => {
    const guest = await makeUser()
    await joinWorkspace(to, guest, 'ADMIN')
    await prisma().projectMember.create({
      data: { projectId: project.id, userId: guest.id, role: 'ADMIN' },
    })
    expect(await move(session(guest))).toBe('NOT_FOUND')
  })

  it('is rejected for a token or an app that does not have access to both workspaces', async () => {
    const actorOf = async ({ token }: { token: string }) => {
      const caller = await callerFromBearer(token)
      if (!caller) throw new Error('dead')
      return caller.actor
    }
    const scopes = ['openid', 'workspace:admin', 'project:admin']
    for (const made of [
      makeApiToken(ada, { workspace: from }),
      makeApiToken(ada, { workspace: to }),
      makeApiToken(ada, { project }),
      makeAccessToken(ada, scopes, { workspaces: [from], projects: [project] }),
      makeAccessToken(ada, scopes, { workspaces: [to], projects: [project] }),
    ]) {
      expect(await move(await actorOf(await made))).toBe('RESOURCE_NOT_SHARED')
    }
    expect(await move(await actorOf(await makeAccessToken(ada, scopes, { workspaces: [from, to] })))).toBe(
      'moved',
    )
  })

  it('keeps access granted to the project, but replaces access through the old workspace with access through the new one', async () => {
    const grace = await makeUser()
    await joinWorkspace(from, grace, 'ADMIN')
    const scopes = ['openid', 'workspace:admin', 'project:admin']
    const ofProject = await makeApiToken(ada, { project })
    const hers = await makeApiToken(grace, { project })
    const shared = {
      project: await makeAccessToken(ada, scopes, { projects: [project] }),
      from: await makeAccessToken(ada, scopes, { workspaces: [from] }),
      to: await makeAccessToken(ada, scopes, { workspaces: [to] }),
    }
    const outcomes = () =>
      Promise.all([ofProject, hers, shared.project, shared.from, shared.to].map(({ token }) => reads(token)))
    expect(await outcomes()).toEqual(['ok', 'ok', 'ok', 'ok', 'RESOURCE_NOT_SHARED'])
    expect(await move()).toBe('moved')
    expect(await outcomes()).toEqual(['ok', 'NOT_FOUND', 'ok', 'RESOURCE_NOT_SHARED', 'ok'])
  })

  it('applies the new workspace’s app policy, and deletes the project’s app approvals and invitations in the former workspace', async () => {
    const { token, client } = await makeAccessToken(ada, ['openid', 'project:admin'], { projects: [project] })
    await prisma().workspace.updateMany({ data: { appPolicy: 'APPROVED' } })
    await prisma().workspaceApp.create({
      data: {
        workspaceId: from.id,
        clientId: client.id,
        decision: 'APPROVED',
        scopes: ['project:admin'],
        allProjects: false,
        projects: { create: [{ projectId: project.id }] },
      },
    })
    await prisma().invitation.create({
      data: {
        workspaceId: from.id,
        projectId: project.id,
        email: 'guest@example.test',
        role: 'ADMIN',
        hash: new Uint8Array(32).fill(7),
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    })
    expect(await reads(token)).toBe('ok')
    expect(await move()).toBe('moved')
    expect(await reads(token)).toBe('APP_NOT_APPROVED')
    expect(await prisma().workspaceAppProject.count({ where: { projectId: project.id } })).toBe(0)
    expect(await prisma().invitation.count({ where: { projectId: project.id } })).toBe(0)
  })

  it('is recorded in the audit logs and sent to the webhooks of both workspaces', async () => {
    for (const { id } of [from, to]) {
      await prisma().webhook.create({
        data: {
          workspaceId: id,
          url: 'https://hooks.example.test/',
          events: ['project.*'],
          sealedSecret: new Uint8Array(40),
        },
      })
    }
    await move()
    const deliveries = await prisma().webhookDelivery.findMany({ include: { webhook: true } })
    const recorded = await prisma().auditEvent.findMany({ where: { resourceId: project.id } })
    for (const workspaces of [
      deliveries.map(({ webhook }) => webhook.workspaceId),
      recorded.map((each) => each.workspaceId),
    ]) {
      expect(workspaces.sort()).toEqual([from.id, to.id].sort())
    }
    expect(new Set(deliveries.map(({ event }) => event))).toEqual(new Set(['project.transferred']))
  })

  it('is rejected if the destination is the current workspace or has the maximum number of projects', async () => {
    const stay = transferProject(session(ada), { projectId: project.id, workspaceId: from.id })
    await expect(stay).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'workspaceId' } })
    await prisma().$executeRaw`
      INSERT INTO projects (id, workspace_id, name, updated_at)
      SELECT gen_random_uuid(), ${to.id}::uuid, 'P', now() FROM generate_series(1, ${maxProjects})`
    expect(await move()).toBe('CONFLICT')
    expect(await workspaceNow()).toBe(from.id)
  })
})
