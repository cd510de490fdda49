import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { lockWaits } from '@/lib/testing/lock-waits'

/** Records that are deleted between authorization and the write. */
const api = serveGraphQL()
let token = ''
let workspaceId = ''

beforeAll(async () => {
  const user = await makeUser()
  token = (await makeApiToken(user)).token
  workspaceId = (await makeWorkspace([[user, 'ADMIN']])).id
})

/** Sends an operation that finds its project, then waits until the deletion of that project is committed. */
async function whileDeleted(query: string) {
  const project = await makeProject({ id: workspaceId })
  return prisma()
    .$transaction(async (tx) => {
      await tx.project.delete({ where: { id: project.id } })
      const reply = api.execute(token, query, { id: project.id })
      await expect.poll(() => lockWaits(), { timeout: 15_000 }).toBe(1)
      return { reply }
    })
    .then(({ reply }) => reply)
}

describe('a project that is deleted during a write', () => {
  it.each([
    'mutation ($id: ID!) { environmentCreate(input: { projectId: $id, name: "production" }) { id } }',
    'mutation ($id: ID!) { projectUpdate(id: $id, input: { name: "late" }) { id } }',
  ])('is reported as not found: %s', async (query) => {
    const { status, errors } = await whileDeleted(query)
    expect([status, errors?.[0]?.extensions.code]).toEqual([200, 'NOT_FOUND'])
  })
})

describe('parallel invitations to one email address', () => {
  it('leave only one pending invitation', async () => {
    const invite =
      'mutation ($id: ID!) { workspaceInvitationCreate(input: { workspaceId: $id, email: "new@example.com", role: MEMBER }) { link } }'
    await Promise.all(Array.from({ length: 8 }, () => api.execute(token, invite, { id: workspaceId })))
    expect(await prisma().invitation.count({ where: { workspaceId, email: 'new@example.com' } })).toBe(1)
  })
})
