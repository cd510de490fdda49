import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The tokens with access to a workspace, as its admins list and revoke them. */
const api = serveGraphQL()

const list = `query ($w: ID!, $first: Int, $after: String) {
  workspaceTokens(workspaceId: $w, first: $first, after: $after) {
    edges { node { id name displayToken projectId userId user { name } role lastUsedAt expiresAt } }
    pageInfo { hasNextPage endCursor }
  }
}`
const revoke = 'mutation ($id: ID!) { workspaceTokenDelete(id: $id) }'

const world = async () => {
  const [admin, member] = [await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([
    [admin, 'ADMIN'],
    [member, 'MEMBER'],
  ])
  const project = await makeProject(workspace)
  const theirs = await makeApiToken(member, { workspace, role: 'VIEWER' })
  const ofProject = await makeApiToken(member, { project, role: 'MEMBER' })
  const account = await makeApiToken(member)
  const elsewhere = await makeWorkspace([[member, 'ADMIN']])
  await makeApiToken(member, { workspace: elsewhere })
  await makeApiToken(member, { project: await makeProject(elsewhere) })
  const asAdmin = (await makeApiToken(admin)).token
  return { member, workspace, project, theirs, ofProject, account, asAdmin }
}

const codeOf = async (token: string, query: string, variables?: object) =>
  (await api.execute(token, query, variables)).errors?.[0]?.extensions.code

describe('the tokens of a workspace', () => {
  it('include the tokens that members created for the workspace and its projects, page by page', async () => {
    const { member, workspace, project, theirs, ofProject, asAdmin } = await world()
    const { data } = await api.execute(asAdmin, list, { w: workspace.id })
    expect(data.workspaceTokens.edges.map((edge: { node: object }) => edge.node)).toEqual([
      {
        id: theirs.row.id,
        name: theirs.row.name,
        displayToken: `lk_wst_…${theirs.token.slice(-4)}`,
        projectId: null,
        userId: member.id,
        user: { name: member.name },
        role: 'VIEWER',
        lastUsedAt: null,
        expiresAt: null,
      },
      expect.objectContaining({
        displayToken: `lk_pjt_…${ofProject.token.slice(-4)}`,
        projectId: project.id,
        user: { name: member.name },
        role: 'MEMBER',
      }),
    ])
    const first = await api.execute(asAdmin, list, { w: workspace.id, first: 1 })
    const { hasNextPage, endCursor } = first.data.workspaceTokens.pageInfo
    expect(hasNextPage).toBe(true)
    const second = await api.execute(asAdmin, list, { w: workspace.id, first: 1, after: endCursor })
    expect(second.data.workspaceTokens).toMatchObject({
      edges: [{ node: { id: ofProject.row.id } }],
      pageInfo: { hasNextPage: false },
    })
  })

  it('can be revoked by an admin, effective with the next request, and the audit log names their creators', async () => {
    const { member, workspace, theirs, ofProject, asAdmin } = await world()
    for (const { row, token } of [theirs, ofProject]) {
      expect(await codeOf(token, '{ me { id } }')).toBeUndefined()
      expect((await api.execute(asAdmin, revoke, { id: row.id })).data).toEqual({
        workspaceTokenDelete: true,
      })
      expect(await codeOf(token, '{ me { id } }')).toBe('UNAUTHENTICATED')
      expect(await codeOf(asAdmin, revoke, { id: row.id })).toBe('NOT_FOUND')
    }
    const events = await prisma().auditEvent.findMany({ where: { workspaceId: workspace.id } })
    expect(events).toMatchObject(
      [theirs, ofProject].map(({ row }) => ({
        action: 'api_token.revoked',
        resourceId: row.id,
        details: { name: row.name, madeBy: member.id },
      })),
    )
  })

  it('can be listed and revoked only by admins, and do not include account tokens', async () => {
    const { member, workspace, theirs, account, asAdmin } = await world()
    expect(await codeOf(account.token, list, { w: workspace.id })).toBe('FORBIDDEN')
    expect(await codeOf(account.token, revoke, { id: theirs.row.id })).toBe('FORBIDDEN')
    const stranger = (await makeApiToken(await makeUser())).token
    expect(await codeOf(stranger, list, { w: workspace.id })).toBe('NOT_FOUND')
    expect(await codeOf(stranger, revoke, { id: theirs.row.id })).toBe('NOT_FOUND')
    expect(await codeOf(asAdmin, revoke, { id: account.row.id })).toBe('NOT_FOUND')
    expect(await prisma().apiToken.count({ where: { userId: member.id, kind: 'ACCOUNT' } })).toBe(1)
  })
})
