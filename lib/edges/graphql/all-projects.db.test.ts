import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccessToken } from '@/lib/testing/access-token'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** `projects` without a workspace, which lists all projects that the caller can see. */
const api = serveGraphQL()

const everywhere = `query ($first: Int, $after: String, $last: Int) {
  projects(first: $first, after: $after, last: $last) { edges { node { name } } pageInfo { hasNextPage endCursor } }
}`

describe('a list of the projects in all workspaces', () => {
  let user: Awaited<ReturnType<typeof makeUser>>
  let projects: { id: string }[]
  let home: { id: string }

  beforeAll(async () => {
    user = await makeUser()
    const stranger = await makeUser()
    home = await makeWorkspace([[user, 'VIEWER']])
    const foreign = await makeWorkspace([[stranger, 'ADMIN']])
    projects = [
      await makeProject(home, [], { name: 'at home' }),
      await makeProject(foreign, [[user, 'MEMBER']], { name: 'as a guest' }),
      await makeProject(home, [], { name: 'at home too' }),
    ]
    await makeProject(foreign, [], { name: 'never seen' })
  })

  const read = async (token: string, args: object = {}) => {
    const { data, errors } = await api.execute(token, everywhere, args)
    expect(errors).toBeUndefined()
    return {
      names: data.projects.edges.map((edge: { node: { name: string } }) => edge.node.name),
      pageInfo: data.projects.pageInfo,
    }
  }

  it('is paginated across the user’s workspaces and the projects that the user joined in other workspaces', async () => {
    const { token } = await makeApiToken(user)
    expect((await read(token)).names).toEqual(['at home', 'as a guest', 'at home too'])
    const first = await read(token, { first: 2 })
    expect(first).toMatchObject({ names: ['at home', 'as a guest'], pageInfo: { hasNextPage: true } })
    expect((await read(token, { after: first.pageInfo.endCursor })).names).toEqual(['at home too'])
    expect((await read(token, { last: 1 })).names).toEqual(['at home too'])
  })

  it('contains, for an app, only the selected projects and the projects of selected workspaces', async () => {
    const single = await makeAccessToken(user, ['project:viewer'], {
      projects: [projects[1] as { id: string }],
    })
    expect((await read(single.token)).names).toEqual(['as a guest'])
    const whole = await makeAccessToken(user, ['workspace:viewer'], { workspaces: [home] })
    expect((await read(whole.token)).names).toEqual(['at home', 'at home too'])
    const nothing = await makeAccessToken(user, ['project:viewer'])
    expect((await read(nothing.token)).names).toEqual([])
  })

  it('cannot be read by an app without a project scope', async () => {
    const { token } = await makeAccessToken(user, ['openid'])
    const { errors } = await api.execute(token, everywhere)
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      requiredScope: 'project:viewer',
    })
  })

  it('is read from the projects table with a single SQL statement', async () => {
    const { token } = await makeApiToken(user)
    const { statements } = await countStatements(() => read(token))
    expect(statements.filter((text) => text.includes('FROM projects p'))).toHaveLength(1)
  })
})
