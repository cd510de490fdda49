import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import {
  allowRemovedMember,
  leaveWorkspace,
  listRemovedMembers,
  removeMember,
} from '@/lib/features/workspaces/remove-member'
import { removeProjectMember } from '@/lib/features/workspaces/set-project-member'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { signInWithSso } from './sign-in-with-sso'

const issuer = 'https://idp.example'
let domain: string
let workspace: { id: string }
let grace: { id: string; email: string }
let admin: ReturnType<typeof actorOf>

const actorOf = ({ id }: { id: string }) => ({
  kind: 'session' as const,
  userId: id,
  sessionId: randomUUID(),
  instanceAdmin: false,
})

beforeEach(async () => {
  domain = `${randomUUID()}.example.test`
  grace = await makeUser({ email: `grace@${domain}` })
  const ada = await makeUser()
  admin = actorOf(ada)
  workspace = await makeWorkspace([[ada, 'ADMIN']])
  await prisma().workspaceIdentityProvider.create({
    data: {
      workspaceId: workspace.id,
      issuer,
      clientId: 'c',
      domain,
      token: randomUUID(),
      verifiedAt: new Date(),
      joinAs: 'MEMBER',
    },
  })
})

/**
 * Signs the user in through SSO.
 * @returns whether the user is a workspace member afterwards
 */
async function joins() {
  const claims = { sub: 'grace', email: grace.email, name: undefined, avatarUrl: undefined }
  await signInWithSso({ workspaceId: workspace.id, issuer }, claims)
  return (
    (await prisma().workspaceMember.count({ where: { workspaceId: workspace.id, userId: grace.id } })) > 0
  )
}
const listed = async () => (await listRemovedMembers(admin, workspace.id)).map(({ userId }) => userId)

describe('a removal by an admin', () => {
  it('prevents the user from rejoining by signing in, until an admin allows it', async () => {
    expect(await joins()).toBe(true)
    await removeMember(admin, workspace.id, grace.id)
    expect([await joins(), await listed()]).toEqual([false, [grace.id]])
    await expect(allowRemovedMember(actorOf(grace), workspace.id, grace.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await allowRemovedMember(admin, workspace.id, grace.id)
    expect([await joins(), await listed()]).toEqual([true, []])
  })

  it('prevents the user from rejoining until they are invited to the workspace, not only to a project', async () => {
    await joins()
    await removeMember(admin, workspace.id, grace.id)
    const project = await makeProject(workspace)
    await createInvitation(admin, { projectId: project.id, email: grace.email, role: 'VIEWER' })
    expect(await joins()).toBe(false)
    await createInvitation(admin, { workspaceId: workspace.id, email: grace.email, role: 'MEMBER' })
    expect([await joins(), await listed()]).toEqual([true, []])
  })

  it('from a project prevents the user, if not a workspace member, from joining the workspace by signing in', async () => {
    const project = await makeProject(workspace, [[grace, 'MEMBER']])
    await removeProjectMember(admin, project.id, grace.id)
    expect([await joins(), await listed()]).toEqual([false, [grace.id]])
  })

  it('from a project does not prevent a workspace member from leaving and rejoining by signing in', async () => {
    await joins()
    const project = await makeProject(workspace, [[grace, 'ADMIN']])
    await removeProjectMember(admin, project.id, grace.id)
    expect(await listed()).toEqual([])
    await leaveWorkspace(actorOf(grace), workspace.id)
    expect([await listed(), await joins()]).toEqual([[], true])
  })
})
