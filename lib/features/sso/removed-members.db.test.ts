import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { deleteAccount } from '@/lib/features/identity/delete-account'
import { confirmEmail } from '@/lib/features/identity/email/confirm-email'
import { acceptInvitation } from '@/lib/features/workspaces/accept-invitation'
import { changeMemberRole } from '@/lib/features/workspaces/change-member'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { allowRemovedMember, listRemovedMembers } from '@/lib/features/workspaces/former-members'
import { leaveWorkspace, removeMember } from '@/lib/features/workspaces/remove-member'
import { removeProjectMember, setProjectMember } from '@/lib/features/workspaces/set-project-member'
import type { Role } from '@/lib/policy/scopes'
import { makeProject, makeUser, makeWorkspace, testPassword } from '@/lib/testing/factories'
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
 * Signs in through SSO.
 * @param claims changes to Grace's claims
 * @returns the ID of the account, and its role in the workspace afterwards
 */
async function signIn(claims: { sub?: string; email?: string } = {}) {
  const { userId } = await signInWithSso(
    { workspaceId: workspace.id, issuer },
    { sub: 'grace', email: grace.email, name: undefined, avatarUrl: undefined, ...claims },
  )
  const key = { workspaceId_userId: { workspaceId: workspace.id, userId } }
  return { userId, role: (await prisma().workspaceMember.findUnique({ where: key }))?.role }
}
/** Signs Grace in through SSO. @returns whether the user is a workspace member afterwards */
const joins = async () => (await signIn()).role !== undefined
const changeRole = (role: Role) =>
  changeMemberRole(admin, { workspaceId: workspace.id, userId: grace.id, role })
const removeAccount = () => deleteAccount(actorOf(grace), { confirm: grace.email, password: testPassword })
/** Changes the email address of Grace's account to another domain. */
async function moveAccount() {
  const [token, email] = [mintCredential('emailToken'), `${randomUUID()}@elsewhere.example`]
  await prisma().emailToken.create({
    data: {
      userId: grace.id,
      email,
      purpose: 'VERIFY_EMAIL',
      hash: Uint8Array.from(hashCredential(token)),
      expiresAt: new Date(Date.now() + 60_000),
    },
  })
  await confirmEmail(actorOf(grace), token)
}
const invite = async (input: object) => {
  const { link } = await createInvitation(admin, { email: grace.email, ...input })
  return String(link).slice(String(link).lastIndexOf('/') + 1)
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

  it('from a project is recorded with the user’s identifiers even if the admin sends the ID in uppercase', async () => {
    const project = await makeProject(workspace, [[grace, 'MEMBER']])
    await removeProjectMember(admin, project.id, grace.id.toUpperCase())
    const [former] = await prisma().formerMember.findMany({ where: { workspaceId: workspace.id } })
    expect(former).toMatchObject({ userId: grace.id, identifiers: [expect.any(String)] })
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

describe.each([
  ['the same account', async () => {}],
  ['a new account, after the user deleted the account', removeAccount],
  ['a new account, after the user moved the account to another domain', moveAccount],
])('a former member who signs in with %s', (_title, change) => {
  it('does not rejoin after a removal, until an admin invites the address again', async () => {
    await joins()
    await removeMember(admin, workspace.id, grace.id)
    await change()
    expect((await signIn()).role).toBeUndefined()
    await invite({ workspaceId: workspace.id, role: 'VIEWER' })
    expect((await signIn()).role).toBe('MEMBER')
  })

  it('rejoins with the role that the user had when leaving, if it is lower than the role of new members', async () => {
    await joins()
    await changeRole('VIEWER')
    if (change !== removeAccount) await leaveWorkspace(actorOf(grace), workspace.id)
    await change()
    expect(await signIn()).toMatchObject({ role: 'VIEWER' })
  })
})

describe('a former member', () => {
  it('does not rejoin with another address of the same provider account', async () => {
    await joins()
    await removeMember(admin, workspace.id, grace.id)
    await removeAccount()
    expect((await signIn({ email: `hopper@${domain}` })).role).toBeUndefined()
    expect((await signIn({ email: `ada@${domain}`, sub: 'ada' })).role).toBe('MEMBER')
  })

  it('cannot keep an account in another domain and join with a new one and a higher role', async () => {
    await joins()
    await changeRole('VIEWER')
    await moveAccount()
    const { userId, role } = await signIn()
    expect([userId === grace.id, role]).toEqual([false, 'VIEWER'])
  })

  it('rejoins with the role of new members if the earlier role was higher', async () => {
    await joins()
    await changeRole('ADMIN')
    await leaveWorkspace(actorOf(grace), workspace.id)
    expect((await signIn()).role).toBe('MEMBER')
  })

  it('can rejoin with a higher role by accepting a new invitation', async () => {
    await joins()
    await changeRole('VIEWER')
    await leaveWorkspace(actorOf(grace), workspace.id)
    await acceptInvitation(actorOf(grace), await invite({ workspaceId: workspace.id, role: 'ADMIN' }))
    expect((await signIn()).role).toBe('ADMIN')
  })
})

describe('an unused invitation of a user who joined through SSO', () => {
  const accept = async (token: string) =>
    acceptInvitation(actorOf(grace), token).then(
      () => 'accepted',
      (error) => error.code as string,
    )

  it.each<[string, () => Promise<unknown>]>([
    ['removes the user', () => removeMember(admin, workspace.id, grace.id)],
    ['lowers the user’s role below the invitation’s', () => changeRole('VIEWER')],
  ])('is revoked when an admin %s', async (_title, change) => {
    const token = await invite({ workspaceId: workspace.id, role: 'ADMIN' })
    await joins()
    await change()
    expect(await accept(token)).toBe('NOT_FOUND')
    const event = { action: 'invitation.revoked', workspaceId: workspace.id }
    expect(await prisma().auditEvent.count({ where: event })).toBe(1)
  })

  it('stays valid if an admin gives the user the invitation’s role or a higher one', async () => {
    const token = await invite({ workspaceId: workspace.id, role: 'VIEWER' })
    await joins()
    await changeRole('VIEWER')
    expect(await accept(token)).toBe('accepted')
  })

  it.each<[string, (projectId: string) => Promise<unknown>]>([
    ['removes the user from the project', (id) => removeProjectMember(admin, id, grace.id)],
    [
      'lowers the user’s role in the project',
      (projectId) => setProjectMember(admin, { projectId, userId: grace.id, role: 'VIEWER' }),
    ],
  ])('to a project is revoked when an admin %s', async (_title, change) => {
    const project = await makeProject(workspace)
    const token = await invite({ projectId: project.id, role: 'ADMIN' })
    await joins()
    await setProjectMember(admin, { projectId: project.id, userId: grace.id, role: 'MEMBER' })
    await change(project.id)
    expect(await accept(token)).toBe('NOT_FOUND')
  })
})
