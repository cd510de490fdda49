import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Creating, listing, and revoking tokens through the API. */
const api = serveGraphQL()

const create = 'mutation ($input: ApiTokenCreateInput!) { apiTokenCreate(input: $input) }'
const list = '{ apiTokens { edges { node { id name displayToken workspaceId role expiresAt } } } }'
const revoke = 'mutation ($id: ID!) { apiTokenDelete(id: $id) }'
const createForProject =
  'mutation ($input: ProjectTokenCreateInput!) { projectTokenCreate(input: $input) { secret projectToken { id } } }'
const listOfProject =
  'query ($p: ID!) { projectTokens(projectId: $p) { edges { node { id displayToken projectId role } } } }'
const revokeOfProject = 'mutation ($id: ID!) { projectTokenDelete(id: $id) }'

const codeOf = async (token: string, query: string, variables?: object) =>
  (await api.execute(token, query, variables)).errors?.[0]?.extensions.code

describe('API tokens', () => {
  it('are returned in full only when they are created, and work until they are revoked', async () => {
    const { token } = await makeApiToken(await makeUser())
    const made = await api.execute(token, create, {
      input: { name: 'ci', expiresAt: '2099-01-01T00:00:00Z' },
    })
    const value: string = made.data.apiTokenCreate
    expect(value).toMatch(/^lk_pat_[0-9A-Za-z]{49}$/)
    expect((await api.execute(value, '{ me { id } }')).errors).toBeUndefined()

    const { data } = await api.execute(token, list)
    const node = data.apiTokens.edges
      .map((edge: { node: object }) => edge.node)
      .find((each: { name: string }) => each.name === 'ci')
    expect(node).toMatchObject({
      displayToken: `lk_pat_…${value.slice(-4)}`,
      workspaceId: null,
      expiresAt: '2099-01-01T00:00:00.000Z',
    })
    const rows = JSON.stringify(await prisma().apiToken.findMany())
    expect(rows).not.toContain(value)

    expect((await api.execute(token, revoke, { id: node.id })).data).toEqual({ apiTokenDelete: true })
    expect(await codeOf(value, '{ me { id } }')).toBe('UNAUTHENTICATED')
    expect(await codeOf(token, revoke, { id: node.id })).toBe('NOT_FOUND')
  })

  it('that are created for a workspace are limited to that workspace and to the creator’s role at that time', async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'MEMBER']])
    const elsewhere = await makeWorkspace([[user, 'ADMIN']])
    const { token } = await makeApiToken(user)
    const made = await api.execute(token, create, { input: { name: 'w', workspaceId: workspace.id } })
    const value: string = made.data.apiTokenCreate
    expect(value).toMatch(/^lk_wst_/)
    const read = (id: string) =>
      api.execute(value, 'query ($w: ID!) { workspace(workspaceId: $w) { role } }', { w: id })
    expect((await read(workspace.id)).data.workspace.role).toBe('MEMBER')
    expect((await read(elsewhere.id)).errors?.[0]?.extensions.code).toBe('RESOURCE_NOT_SHARED')
    // A later promotion of the user does not raise the role of an existing token.
    await prisma().workspaceMember.updateMany({ where: { userId: user.id }, data: { role: 'ADMIN' } })
    expect((await read(workspace.id)).data.workspace.role).toBe('MEMBER')
  })

  it('cannot create tokens or make changes if they are limited to the VIEWER role', async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const project = await makeProject(workspace)
    const { token } = await makeApiToken(user)
    const made = await api.execute(token, create, { input: { name: 'read only', role: 'VIEWER' } })
    const value: string = made.data.apiTokenCreate
    expect(value).toMatch(/^lk_pat_/)
    expect(JSON.stringify((await api.execute(token, list)).data)).toContain('"role":"VIEWER"')

    const read = 'query ($w: ID!) { me { email } workspace(workspaceId: $w) { role } }'
    expect((await api.execute(value, read, { w: workspace.id })).data).toEqual({
      me: { email: user.email },
      workspace: { role: 'VIEWER' },
    })
    const attempts: [query: string, variables?: object][] = [
      [create, { input: { name: 'x' } }],
      [create, { input: { name: 'x', role: 'VIEWER' } }],
      [create, { input: { name: 'x', workspaceId: workspace.id } }],
      [createForProject, { input: { name: 'x', projectId: project.id } }],
      [
        'mutation ($w: ID!) { projectCreate(input: { workspaceId: $w, name: "x" }) { id } }',
        { w: workspace.id },
      ],
      ['mutation { workspaceCreate(input: { name: "x" }) { id } }'],
      ['mutation { userUpdate(input: { name: "x" }) { id } }'],
      ['mutation { notificationsMarkAllRead }'],
    ]
    for (const [query, variables] of attempts) {
      expect(await codeOf(value, query, variables), query).toBe('FORBIDDEN')
    }
  })

  it('cannot be created for a workspace that the user cannot access, with an invalid expiry, or without a name', async () => {
    const { token } = await makeApiToken(await makeUser())
    const elsewhere = await makeWorkspace()
    expect(await codeOf(token, create, { input: { name: 'x', workspaceId: elsewhere.id } })).toBe('NOT_FOUND')
    expect(await codeOf(token, create, { input: { name: 'x', expiresAt: '2000-01-01T00:00:00Z' } })).toBe(
      'BAD_USER_INPUT',
    )
    expect(await codeOf(token, create, { input: { name: ' ' } })).toBe('BAD_USER_INPUT')
    expect(await codeOf(token, create, { input: { name: 'x', expiresAt: 'tomorrow' } })).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    )
  })

  it('cannot be created, listed, or revoked by apps or workspace tokens', async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const project = await makeProject(workspace)
    const { row } = await makeApiToken(user)
    const app = await makeAccessToken(user, ['workspace:admin', 'project:admin'], {
      workspaces: [workspace],
      projects: [project],
    })
    const confined = await makeApiToken(user, { workspace })
    for (const { token } of [app, confined]) {
      expect(await codeOf(token, create, { input: { name: 'x' } })).toBe('FORBIDDEN')
      expect(await codeOf(token, createForProject, { input: { name: 'x', projectId: project.id } })).toBe(
        'FORBIDDEN',
      )
      expect(await codeOf(token, list)).toBe('FORBIDDEN')
      expect(await codeOf(token, revoke, { id: row.id })).toBe('FORBIDDEN')
    }
  })

  it('cannot be listed or revoked by other users', async () => {
    const { row } = await makeApiToken(await makeUser())
    const { token } = await makeApiToken(await makeUser())
    expect(await codeOf(token, revoke, { id: row.id })).toBe('NOT_FOUND')
    const { data } = await api.execute(token, list)
    expect(JSON.stringify(data)).not.toContain(row.id)
  })
})

describe('project tokens', () => {
  it('can be created, listed, and revoked only by admins of the project', async () => {
    const [admin, member] = [await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([
      [admin, 'ADMIN'],
      [member, 'MEMBER'],
    ])
    const project = await makeProject(workspace)
    const asAdmin = (await makeApiToken(admin)).token
    const asMember = (await makeApiToken(member)).token
    const made = await api.execute(asAdmin, createForProject, {
      input: { name: 'deploy', projectId: project.id, role: 'VIEWER' },
    })
    const value: string = made.data.projectTokenCreate.secret
    expect(value).toMatch(/^lk_pjt_/)
    expect(
      (await api.execute(value, 'query ($p: ID!) { project(id: $p) { role } }', { p: project.id })).data
        .project.role,
    ).toBe('VIEWER')

    const { data } = await api.execute(asAdmin, listOfProject, { p: project.id })
    const [{ node }] = data.projectTokens.edges
    expect(node).toMatchObject({
      displayToken: `lk_pjt_…${value.slice(-4)}`,
      projectId: project.id,
      role: 'VIEWER',
    })
    expect(await codeOf(asMember, createForProject, { input: { name: 'x', projectId: project.id } })).toBe(
      'FORBIDDEN',
    )
    expect(await codeOf(asMember, listOfProject, { p: project.id })).toBe('FORBIDDEN')
    expect(await codeOf(asMember, revokeOfProject, { id: node.id })).toBe('FORBIDDEN')
    const stranger = (await makeApiToken(await makeUser())).token
    expect(await codeOf(stranger, revokeOfProject, { id: node.id })).toBe('NOT_FOUND')
    expect((await api.execute(asAdmin, revokeOfProject, { id: node.id })).data).toEqual({
      projectTokenDelete: true,
    })
    expect(await codeOf(value, '{ me { id } }')).toBe('UNAUTHENTICATED')
  })

  it('are recorded in the audit log when they are created, but without their values', async () => {
    const admin = await makeUser()
    const workspace = await makeWorkspace([[admin, 'ADMIN']])
    const project = await makeProject(workspace)
    const { token } = await makeApiToken(admin)
    const made = await api.execute(token, createForProject, {
      input: { name: 'deploy', projectId: project.id },
    })
    const events = await prisma().auditEvent.findMany({ where: { workspaceId: workspace.id } })
    expect(events).toMatchObject([
      { action: 'api_token.created', userId: admin.id, actorKind: 'account-token' },
    ])
    expect(JSON.stringify(events)).not.toContain(made.data.projectTokenCreate.secret)
  })
})
