import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The pages of lists, and the statements that lists require. */
const api = serveGraphQL()

const page = `query ($w: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  projects(workspaceId: $w, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { name } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`

describe('the pages of a list', () => {
  let token = ''
  let w = ''
  const names = ['a', 'b', 'c', 'd', 'e']

  beforeAll(async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    for (const name of names) await makeProject(workspace, [], { name })
    token = (await makeApiToken(user)).token
    w = workspace.id
  })

  const read = async (args: object) => {
    const { data, errors } = await api.execute(token, page, { w, ...args })
    expect(errors).toBeUndefined()
    const { edges, pageInfo } = data.projects
    return { names: edges.map((edge: { node: { name: string } }) => edge.node.name), pageInfo, edges }
  }

  it('can be read forward', async () => {
    const one = await read({ first: 2 })
    expect([one.names, one.pageInfo.hasNextPage, one.pageInfo.hasPreviousPage]).toEqual([
      ['a', 'b'],
      true,
      false,
    ])
    const two = await read({ first: 2, after: one.pageInfo.endCursor })
    expect([two.names, two.pageInfo.hasNextPage, two.pageInfo.hasPreviousPage]).toEqual([
      ['c', 'd'],
      true,
      true,
    ])
    const three = await read({ first: 2, after: two.pageInfo.endCursor })
    expect([three.names, three.pageInfo.hasNextPage]).toEqual([['e'], false])
    const end = await read({ first: 2, after: three.pageInfo.endCursor })
    expect(end).toMatchObject({
      names: [],
      pageInfo: { hasNextPage: false, startCursor: null, endCursor: null },
    })
  })

  it('can be read backward, in the order of the list', async () => {
    const last = await read({ last: 2 })
    expect([last.names, last.pageInfo.hasPreviousPage, last.pageInfo.hasNextPage]).toEqual([
      ['d', 'e'],
      true,
      false,
    ])
    const before = await read({ last: 2, before: last.pageInfo.startCursor })
    expect([before.names, before.pageInfo.hasPreviousPage, before.pageInfo.hasNextPage]).toEqual([
      ['b', 'c'],
      true,
      true,
    ])
  })

  it('can be limited to the rows between two cursors', async () => {
    const { edges } = await read({})
    expect((await read({ after: edges[0].cursor, before: edges[3].cursor })).names).toEqual(['b', 'c'])
  })

  it('neither skip nor repeat rows when the list changes', async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const made = []
    for (const name of names) made.push(await makeProject(workspace, [], { name }))
    const mine = (await makeApiToken(user)).token
    const readMine = async (args: object) =>
      (await api.execute(mine, page, { w: workspace.id, ...args })).data.projects
    const one = await readMine({ first: 2 })
    await prisma().project.delete({ where: { id: made[1]?.id } })
    await makeProject(workspace, [], { name: 'f' })
    const rest = await readMine({ after: one.pageInfo.endCursor })
    expect(rest.edges.map((edge: { node: { name: string } }) => edge.node.name)).toEqual(['c', 'd', 'e', 'f'])
  })

  it.each([
    [{ first: 0 }, 'first'],
    [{ first: -1 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ last: 0 }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
    [{ after: 'x' }, 'after'],
    [{ before: '' }, 'before'],
  ])('cannot be read with %j, and the error names %s', async (args, field) => {
    const { errors } = await api.execute(token, page, { w, ...args })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })
})

describe('the pages of a workspace’s members', () => {
  const members = `query ($w: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    workspaceMembers(workspaceId: $w, first: $first, after: $after, last: $last, before: $before) {
      edges { node { id role } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`

  it('contain each member once, whether they are read forward or backward', async () => {
    const admin = await makeUser()
    const others = []
    for (let n = 0; n < 4; n++) others.push(await makeUser())
    const ids = [admin, ...others].map(({ id }) => id).sort()
    const workspace = await makeWorkspace([
      ...others.map((user): [{ id: string }, 'VIEWER'] => [user, 'VIEWER']),
      [admin, 'ADMIN'],
    ])
    await makeWorkspace([[await makeUser(), 'ADMIN']])
    const { token } = await makeApiToken(admin)
    const read = async (args: object) => {
      const { data, errors } = await api.execute(token, members, { w: workspace.id, ...args })
      expect(errors).toBeUndefined()
      const { edges, pageInfo } = data.workspaceMembers
      return { ids: edges.map((edge: { node: { id: string } }) => edge.node.id), pageInfo }
    }
    const one = await read({ first: 3 })
    const two = await read({ first: 3, after: one.pageInfo.endCursor })
    expect([...one.ids, ...two.ids]).toEqual(ids)
    expect([one.pageInfo.hasNextPage, two.pageInfo.hasNextPage]).toEqual([true, false])
    const end = await read({ last: 2 })
    const before = await read({ last: 3, before: end.pageInfo.startCursor })
    expect([...before.ids, ...end.ids]).toEqual(ids)
    expect([before.pageInfo.hasPreviousPage, end.pageInfo.hasPreviousPage]).toEqual([false, true])
  })
})

describe('the number of SQL statements', () => {
  const seed = async (workspaces: number, projects: number) => {
    const user = await makeUser()
    const others = [await makeUser(), await makeUser()] as const
    for (let i = 0; i < workspaces; i++) {
      const workspace = await makeWorkspace([
        [user, 'ADMIN'],
        [others[0], 'MEMBER'],
      ])
      await prisma().project.createMany({
        data: Array.from({ length: projects }, (_, n) => ({ name: `P${n}`, workspaceId: workspace.id })),
      })
      await prisma().$executeRaw`
        INSERT INTO project_members (project_id, user_id, role)
        SELECT id, ${others[1].id}::uuid, 'VIEWER' FROM projects WHERE workspace_id = ${workspace.id}::uuid`
    }
    return user
  }

  const everything = `{ me { id workspaces { id members { id role } projects(first: 50) { edges { node {
    id role workspace { id name } members { id name role } } } } } } }`

  it('does not depend on the size of the lists: it is the same for 2 x 2 and 50 x 50 rows', async () => {
    const counts = []
    for (const size of [2, 50]) {
      const { token } = await makeApiToken(await seed(size, size))
      const { value, statements } = await countStatements(() => api.execute(token, everything))
      expect(value.errors).toBeUndefined()
      expect(value.data.me.workspaces).toHaveLength(size)
      expect(value.data.me.workspaces[0].projects.edges).toHaveLength(size)
      expect(value.data.me.workspaces[0].projects.edges[0].node.members).toHaveLength(1)
      counts.push(statements.length)
    }
    // One statement each: token and user, workspaces, members, projects, project members, and the projects'
    // workspaces.
    expect(counts).toEqual([6, 6])
  })

  it.each([
    ['{ me { id name email } }', 1],
    ['{ me { id email workspaces { id name } } }', 2],
    ['query ($w: ID!) { workspace(workspaceId: $w) { id name } }', 2],
    [
      'query ($w: ID!) { projects(workspaceId: $w, first: 50) { edges { node { id name members { id } } } } }',
      3,
    ],
    ['query ($p: ID!) { project(id: $p) { id name members { id } } }', 3],
  ])('for %s is %i', async (query, expected) => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const project = await makeProject(workspace)
    const made = await makeAccessToken(user, ['email', 'profile', 'workspace:admin'], {
      workspaces: [workspace],
    })
    const variables = {
      ...(query.includes('$w') && { w: workspace.id }),
      ...(query.includes('$p') && { p: project.id }),
    }
    const ask = () => api.execute(made.token, query, variables)
    const { value, statements } = await countStatements(ask)
    expect(value.errors).toBeUndefined()
    expect(statements).toHaveLength(expected)
  })
})
