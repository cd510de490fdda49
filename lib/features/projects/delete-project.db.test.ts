import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { inBrowser } from '@/lib/testing/audit-receiver'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { forgetProjects, recentlyDeleted } from './delete-project'

const api = serveGraphQL()

let admin: { id: string }
let guest: { id: string }
let w: string
let p: string
let env: string
let token: string

beforeEach(async () => {
  ;[admin, guest] = [await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([[admin, 'ADMIN']])
  w = workspace.id
  p = (await makeProject(workspace, [[guest, 'MEMBER']], { name: 'Atlas', description: 'Maps' })).id
  token = (await makeApiToken(admin)).token
  env = (await ask(`mutation { environmentCreate(input: { projectId: "${p}", name: "production" }) { id } }`))
    .data.environmentCreate.id
  await ask(
    `mutation { variableUpsert(input: { environmentId: "${env}", name: "KEY", value: "worth keeping" }) { name } }`,
  )
})
afterEach(() => {
  setChangedSettings({})
})

const ask = (query: string, as = token) => api.execute(as, query)
const remove = () => ask(`mutation { projectDelete(id: "${p}") }`)
const restore = (as = token) =>
  ask(`mutation { projectRestore(id: "${p}") { id name description role } }`, as)
const listed = async () =>
  (
    await ask(
      `{ deletedProjects(workspaceId: "${w}") { totalCount nodes { id name deletedById deletedAt restorableUntil } } }`,
    )
  ).data.deletedProjects
const everything = (as = token) =>
  ask(
    `{ project(id: "${p}") { name description createdAt
         members { id role createdAt }
         environments { nodes { id name createdAt revision variables { nodes { id name value createdAt updatedAt } } } } }
       variableChanges(environmentId: "${env}") { nodes { id name action createdAt userId } } }`,
    as,
  )
const code = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.[0]?.extensions.code

describe('a deleted project', () => {
  it('is restored with all its contents and roles', async () => {
    const before = await everything()
    expect(before.errors).toBeUndefined()
    await remove()
    expect(code(await everything())).toBe('NOT_FOUND')
    expect((await restore()).data.projectRestore).toEqual({
      id: p,
      name: 'Atlas',
      description: 'Maps',
      role: 'ADMIN',
    })
    expect((await everything()).data).toEqual(before.data)
    const asGuest = await makeApiToken(guest)
    expect((await everything(asGuest.token)).data.project.name).toBe('Atlas')
    expect(code(await restore())).toBe('NOT_FOUND')
  })

  it('is inaccessible to everyone, including tokens and apps', async () => {
    const asGuest = (await makeApiToken(guest)).token
    const ofProject = (await makeApiToken(admin, { project: { id: p } })).token
    const app = await makeAccessToken(admin, ['openid', 'project:admin'], { projects: [{ id: p }] })
    await remove()
    for (const each of [token, asGuest, app.token]) {
      const { data, errors } = await ask(`{ project(id: "${p}") { id } projects { nodes { id } } }`, each)
      expect([errors?.[0]?.extensions.code, data.projects.nodes]).toEqual(['NOT_FOUND', []])
    }
    expect(code(await ask('{ currentToken { id } }', ofProject))).toBe('UNAUTHENTICATED')
    expect(code(await ask(`{ environment(id: "${env}") { id } }`))).toBe('NOT_FOUND')
    expect(await prisma().variable.count({ where: { environmentId: env } })).toBe(0)
  })

  it('loses its tokens and invitations, even if it is restored later', async () => {
    const ofProject = (await makeApiToken(admin, { project: { id: p } })).token
    await prisma().invitation.create({
      data: {
        workspaceId: w,
        projectId: p,
        email: 'x@example.com',
        role: 'VIEWER',
        hash: Buffer.from(p),
        expiresAt: new Date(Date.now() + 1e8),
      },
    })
    await remove()
    await restore()
    expect(code(await ask('{ currentToken { id } }', ofProject))).toBe('UNAUTHENTICATED')
    expect(await prisma().invitation.count({ where: { projectId: p } })).toBe(0)
  })

  it('is listed with its restoration deadline, and can be restored only by workspace admins', async () => {
    await remove()
    const { totalCount, nodes } = await listed()
    expect([totalCount, nodes[0]]).toMatchObject([1, { id: p, name: 'Atlas', deletedById: admin.id }])
    expect(new Date(nodes[0].restorableUntil).getTime() - new Date(nodes[0].deletedAt).getTime()).toBe(
      7 * 86_400_000,
    )
    const member = await makeUser()
    await prisma().workspaceMember.create({ data: { workspaceId: w, userId: member.id, role: 'MEMBER' } })
    expect(code(await restore((await makeApiToken(member)).token))).toBe('FORBIDDEN')
    const stranger = await restore((await makeApiToken(guest)).token)
    expect(code(stranger)).toBe('NOT_FOUND')
    expect(JSON.stringify(stranger.errors)).not.toContain(w)
  })

  it('is listed first in the console if it was deleted last, even among 100 projects that were created later', async () => {
    const before = new Date(Date.now() - 60_000)
    await prisma().deletedProject.createMany({
      data: Array.from({ length: 100 }, (_, at) => ({
        id: `ffffffff-ffff-7fff-8fff-${String(at).padStart(12, '0')}`,
        workspaceId: w,
        name: `Later ${at}`,
        description: '',
        createdAt: before,
        updatedAt: before,
        deletedAt: before,
        members: [],
        environments: [],
      })),
    })
    await remove()
    const [first, ...others] = await recentlyDeleted(inBrowser(admin.id), w)
    expect([first?.id, others.length]).toEqual([p, 99])
  })

  it('is restored without the roles of deleted accounts', async () => {
    await remove()
    await prisma().user.delete({ where: { id: guest.id } })
    expect((await restore()).errors).toBeUndefined()
    expect((await everything()).data.project.members).toEqual([])
  })

  it('is removed permanently only after the retention period', async () => {
    await remove()
    expect(await forgetProjects()).toBe(0)
    await prisma().deletedProject.update({
      where: { id: p },
      data: { deletedAt: new Date(Date.now() - 7 * 86_400_000 - 1_000) },
    })
    expect(await listed()).toEqual({ totalCount: 0, nodes: [] })
    expect(code(await restore())).toBe('NOT_FOUND')
    expect(await forgetProjects()).toBe(1)
    expect(await prisma().deletedVariable.count({ where: { projectId: p } })).toBe(0)
  })

  it('is removed permanently when its workspace is deleted', async () => {
    await remove()
    await ask(`mutation { workspaceDelete(id: "${w}") }`)
    expect(await prisma().deletedProject.count({ where: { id: p } })).toBe(0)
  })

  it('is removed permanently right away if the instance has no retention period', async () => {
    setChangedSettings({ restoreDays: '0' })
    await remove()
    expect(await prisma().deletedProject.count({ where: { id: p } })).toBe(0)
  })
})
