import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Members, invitations, and the effects of role changes. */
const api = serveGraphQL()

const tokenOf = async (user: { id: string }) => (await makeApiToken(user)).token
const run = async (token: string, query: string, variables?: object) => {
  const { data, errors } = await api.execute(token, query, variables)
  return errors ? String(errors[0]?.extensions.code) : data
}

const changeRole = `mutation ($w: ID!, $u: ID!, $role: Role!) {
  workspaceMemberUpdate(input: { workspaceId: $w, userId: $u, role: $role }) { id role } }`
const remove = 'mutation ($w: ID!, $u: ID!) { workspaceMemberRemove(workspaceId: $w, userId: $u) }'
const leave = 'mutation ($w: ID!) { workspaceLeave(workspaceId: $w) }'
const read = 'query ($w: ID!) { workspace(workspaceId: $w) { role members { id role } } }'

describe('members of a workspace', () => {
  it('get new roles only from admins, and lose their access with the next request after a removal', async () => {
    const [admin, member] = [await makeUser(), await makeUser()]
    const { id: w } = await makeWorkspace([
      [admin, 'ADMIN'],
      [member, 'MEMBER'],
    ])
    const [asAdmin, asMember] = [await tokenOf(admin), await tokenOf(member)]
    expect(await run(asMember, changeRole, { w, u: member.id, role: 'ADMIN' })).toBe('FORBIDDEN')
    expect(await run(asAdmin, changeRole, { w, u: member.id, role: 'VIEWER' })).toEqual({
      workspaceMemberUpdate: { id: member.id, role: 'VIEWER' },
    })
    expect((await run(asMember, read, { w })).workspace.role).toBe('VIEWER')
    expect(await run(asAdmin, remove, { w, u: member.id })).toEqual({ workspaceMemberRemove: true })
    expect(await run(asMember, read, { w })).toBe('NOT_FOUND')
    expect(await run(asAdmin, remove, { w, u: member.id })).toBe('NOT_FOUND')
    expect(await run(asAdmin, changeRole, { w, u: 'unknown', role: 'VIEWER' })).toBe('NOT_FOUND')
  })

  it('always include an admin, even if all admins try to leave at the same time', async () => {
    const users = [await makeUser(), await makeUser(), await makeUser()] as const
    const { id: w } = await makeWorkspace(users.map((user) => [user, 'ADMIN']))
    const tokens = await Promise.all(users.map(tokenOf))
    const outcomes = await Promise.all(tokens.map((token) => run(token, leave, { w })))
    expect(outcomes.filter((outcome) => outcome === 'CONFLICT')).toHaveLength(1)
    const [last] = await prisma().workspaceMember.findMany({ where: { workspaceId: w } })
    const token = tokens[users.findIndex((user) => user.id === last?.userId)] as string
    expect(await run(token, changeRole, { w, u: last?.userId, role: 'MEMBER' })).toBe('CONFLICT')
    expect(await run(token, remove, { w, u: last?.userId })).toBe('CONFLICT')
  })

  it('cannot leave the workspace through an app', async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'MEMBER']])
    const app = await makeAccessToken(user, ['workspace:admin'], { workspaces: [workspace] })
    expect(await run(app.token, leave, { w: workspace.id })).toBe('FORBIDDEN')
  })
})

describe('members of a project', () => {
  const set = `mutation ($p: ID!, $u: ID!, $role: Role!) {
    projectMemberUpsert(input: { projectId: $p, userId: $u, role: $role }) { id role } }`
  const drop = 'mutation ($p: ID!, $u: ID!) { projectMemberRemove(projectId: $p, userId: $u) }'

  it('get roles only from admins, and can leave the project if they are not members of the workspace', async () => {
    const [admin, colleague, guest, stranger] = await Promise.all([
      makeUser(),
      makeUser(),
      makeUser(),
      makeUser(),
    ])
    const workspace = await makeWorkspace([
      [admin, 'ADMIN'],
      [colleague, 'VIEWER'],
    ])
    const { id: p } = await makeProject(workspace, [[guest, 'MEMBER']])
    const [asAdmin, asGuest] = [await tokenOf(admin), await tokenOf(guest)]
    expect(await run(asAdmin, set, { p, u: colleague.id, role: 'ADMIN' })).toEqual({
      projectMemberUpsert: { id: colleague.id, role: 'ADMIN' },
    })
    expect(await run(asAdmin, set, { p, u: stranger.id, role: 'VIEWER' })).toBe('NOT_FOUND')
    expect(await run(asGuest, set, { p, u: guest.id, role: 'ADMIN' })).toBe('FORBIDDEN')
    expect(await run(asGuest, drop, { p, u: colleague.id })).toBe('FORBIDDEN')
    expect(
      (await run(asGuest, '{ externalWorkspaces { id projects { id role } } }')).externalWorkspaces,
    ).toEqual([{ id: workspace.id, projects: [{ id: p, role: 'MEMBER' }] }])
    expect(await run(asGuest, drop, { p, u: guest.id })).toEqual({ projectMemberRemove: true })
    expect(await run(asGuest, `{ project(id: "${p}") { id } }`)).toBe('NOT_FOUND')
  })
})

describe('invitations', () => {
  const invite = `mutation ($input: WorkspaceInvitationCreateInput!) {
    workspaceInvitationCreate(input: $input) { link workspaceInvitation { id email } } }`
  const accept = 'mutation ($token: String!) { workspaceInvitationAccept(token: $token) { id role } }'
  const revoke = 'mutation ($id: ID!) { workspaceInvitationRevoke(id: $id) }'
  const list = 'query ($w: ID!) { workspaceInvitations(workspaceId: $w) { edges { node { email } } } }'

  const world = async () => {
    const [admin, invited] = [await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([[admin, 'ADMIN']])
    return { admin, invited, workspace, asAdmin: await tokenOf(admin), asInvited: await tokenOf(invited) }
  }
  const tokenIn = (made: { workspaceInvitationCreate: { link: string } }) =>
    made.workspaceInvitationCreate.link.split('/').at(-1)

  it('can be accepted only once, even in parallel', async () => {
    const { workspace, asAdmin, asInvited, invited } = await world()
    const input = { workspaceId: workspace.id, email: 'New@Example.com', role: 'MEMBER' }
    const made = await run(asAdmin, invite, { input })
    expect(made.workspaceInvitationCreate.workspaceInvitation.email).toBe('new@example.com')
    expect((await run(asAdmin, list, { w: workspace.id })).workspaceInvitations.edges).toHaveLength(1)
    const token = tokenIn(made)
    expect(JSON.stringify(await prisma().invitation.findMany())).not.toContain(token)
    const both = await Promise.all([run(asInvited, accept, { token }), run(asInvited, accept, { token })])
    expect(both).toContainEqual({ workspaceInvitationAccept: { id: workspace.id, role: 'MEMBER' } })
    expect(both).toContain('NOT_FOUND')
    const events = await prisma().auditEvent.findMany({
      where: { workspaceId: workspace.id },
      orderBy: { id: 'asc' },
    })
    expect(events.map((event) => [event.action, event.userId === invited.id])).toEqual([
      ['invitation.created', false],
      ['member.added', true],
    ])
  })

  it('do not lower the role of an existing member', async () => {
    const { workspace, asAdmin, admin } = await world()
    const input = { workspaceId: workspace.id, email: 'x@example.com', role: 'VIEWER' }
    const token = tokenIn(await run(asAdmin, invite, { input }))
    expect((await run(await tokenOf(admin), accept, { token })).workspaceInvitationAccept.role).toBe('ADMIN')
  })

  it('expire, can be revoked, and are replaced by newer invitations to the same email address', async () => {
    const { workspace, asAdmin, asInvited } = await world()
    const input = { workspaceId: workspace.id, email: 'x@example.com', role: 'VIEWER' }
    const old = tokenIn(await run(asAdmin, invite, { input }))
    const made = await run(asAdmin, invite, { input })
    expect(await run(asInvited, accept, { token: old })).toBe('NOT_FOUND')
    const { id } = made.workspaceInvitationCreate.workspaceInvitation
    await prisma().invitation.update({ where: { id }, data: { expiresAt: new Date(0) } })
    expect(await run(asInvited, accept, { token: tokenIn(made) })).toBe('NOT_FOUND')
    expect(await run(asInvited, revoke, { id })).toBe('NOT_FOUND')
    expect(await run(asAdmin, revoke, { id })).toEqual({ workspaceInvitationRevoke: true })
    expect(await run(asAdmin, revoke, { id })).toBe('NOT_FOUND')
  })

  it('to a project give a role only in that project', async () => {
    const { workspace, asAdmin, asInvited } = await world()
    const project = await makeProject(workspace)
    const input = { projectId: project.id, email: 'x@example.com', role: 'MEMBER' }
    const token = tokenIn(await run(asAdmin, invite, { input }))
    expect(await run(asInvited, accept, { token })).toEqual({ workspaceInvitationAccept: null })
    expect((await run(asInvited, `{ project(id: "${project.id}") { role } }`)).project.role).toBe('MEMBER')
    expect(await run(asInvited, read, { w: workspace.id })).toBe('NOT_FOUND')
  })

  it('to a project are included in the workspace’s list only on request', async () => {
    const { workspace, asAdmin } = await world()
    const project = await makeProject(workspace)
    const elsewhere = await makeProject(await makeWorkspace())
    await run(asAdmin, invite, { input: { projectId: project.id, email: 'p@example.com', role: 'VIEWER' } })
    await run(asAdmin, invite, {
      input: { workspaceId: workspace.id, email: 'w@example.com', role: 'VIEWER' },
    })
    expect(await run(asAdmin, list, { w: workspace.id })).toEqual({
      workspaceInvitations: { edges: [{ node: { email: 'w@example.com' } }] },
    })
    const all = `query ($w: ID!) { workspaceInvitations(workspaceId: $w, withProjects: true) {
      edges { node { email projectId } } } }`
    expect(await run(asAdmin, all, { w: workspace.id })).toEqual({
      workspaceInvitations: {
        edges: [
          { node: { email: 'p@example.com', projectId: project.id } },
          { node: { email: 'w@example.com', projectId: null } },
        ],
      },
    })
    expect(await run(asAdmin, all, { w: elsewhere.workspaceId })).toBe('NOT_FOUND')
  })

  it('cannot be sent by users outside the workspace or to members, and require a workspace or project and a valid email address', async () => {
    const { workspace, asAdmin, asInvited, admin } = await world()
    const input = { workspaceId: workspace.id, email: admin.email, role: 'VIEWER' }
    expect(await run(asAdmin, invite, { input })).toBe('CONFLICT')
    expect(await run(asAdmin, invite, { input: { email: 'x@example.com', role: 'VIEWER' } })).toBe(
      'BAD_USER_INPUT',
    )
    expect(await run(asAdmin, invite, { input: { ...input, email: 'no-address' } })).toBe('BAD_USER_INPUT')
    expect(await run(asInvited, invite, { input })).toBe('NOT_FOUND')
    expect(await run(asInvited, accept, { token: 'lk_inv_nonsense' })).toBe('NOT_FOUND')
  })
})
