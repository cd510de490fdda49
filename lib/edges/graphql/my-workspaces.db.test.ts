import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The workspaces that each kind of token can access with `me { workspaces }`. */
const api = serveGraphQL()

const fields = '{ id name slug role createdAt updatedAt }'

const setUp = async () => {
  const [user, other] = [await makeUser(), await makeUser()]
  const mine = await makeWorkspace([[user, 'ADMIN']])
  const shared = await makeWorkspace([
    [other, 'ADMIN'],
    [user, 'VIEWER'],
  ])
  const foreign = await makeWorkspace([[other, 'ADMIN']])
  return { user, mine, shared, foreign, project: await makeProject(mine) }
}
type World = Awaited<ReturnType<typeof setUp>>
type Token = (world: World) => Promise<{ token: string }>

const app =
  (scope: string, selected: ('mine' | 'shared' | 'foreign')[]): Token =>
  (world) =>
    makeAccessToken(world.user, ['openid', scope], { workspaces: selected.map((name) => world[name]) })

describe('the workspaces of the user', () => {
  it.each<[string, Token, ('mine' | 'shared')[]]>([
    ['an account token', ({ user }) => makeApiToken(user), ['mine', 'shared']],
    ['a limited account token', ({ user }) => makeApiToken(user, { role: 'VIEWER' }), ['mine', 'shared']],
    ['a workspace token', ({ user, shared }) => makeApiToken(user, { workspace: shared }), ['shared']],
    [
      'a token for a workspace that the user cannot access',
      ({ user, foreign }) => makeApiToken(user, { workspace: foreign }),
      [],
    ],
    ['a project token', ({ user, project }) => makeApiToken(user, { project }), []],
    ['an app with all workspaces', app('workspace:admin', ['mine', 'shared']), ['mine', 'shared']],
    ['an app with one workspace', app('workspace:viewer', ['shared']), ['shared']],
    ['an app with an inaccessible workspace', app('workspace:viewer', ['foreign', 'mine']), ['mine']],
    ['an app without workspaces', app('workspace:viewer', []), []],
  ])('as seen by %s include only accessible workspaces', async (_title, make, expected) => {
    const world = await setUp()
    const { token } = await make(world)
    const { value, statements } = await countStatements(() =>
      api.execute(token, `{ me { id workspaces ${fields} } }`),
    )
    expect(value.errors).toBeUndefined()
    expect(value.data.me.workspaces.map((each: { id: string }) => each.id)).toEqual(
      expected.map((name) => world[name].id),
    )
    expect(statements).toHaveLength(2)
  })

  it('are null for an app without a workspace scope, but do not affect other fields', async () => {
    const world = await setUp()
    const { token } = await app('project:admin', ['mine'])(world)
    const { data, errors } = await api.execute(token, `{ me { id workspaces ${fields} } }`)
    expect(data).toEqual({ me: { id: world.user.id, workspaces: null } })
    expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE')
  })

  it('reflect role changes and removals at the next request', async () => {
    const { user, shared } = await setUp()
    const { token } = await makeApiToken(user)
    const query = 'query Mine { me { ...Shared } } fragment Shared on User { workspaces { id role } }'
    const roles = async () =>
      (await api.execute(token, query)).data.me.workspaces.map((each: { role: string }) => each.role)
    expect(await roles()).toEqual(['ADMIN', 'VIEWER'])
    const membership = { workspaceId_userId: { workspaceId: shared.id, userId: user.id } }
    await prisma().workspaceMember.update({ where: membership, data: { role: 'MEMBER' } })
    expect(await roles()).toEqual(['ADMIN', 'MEMBER'])
    await prisma().workspaceMember.delete({ where: membership })
    expect(await roles()).toEqual(['ADMIN'])
  })

  it('include workspaces that an earlier field of the same mutation created', async () => {
    const { user } = await setUp()
    const { token } = await makeApiToken(user)
    const mutation = `mutation {
      workspaceCreate(input: { name: "New" }) { id }
      userUpdate(input: {}) { workspaces { id } }
    }`
    for (const total of [3, 4]) {
      const { data } = await api.execute(token, mutation)
      expect(data.userUpdate.workspaces).toHaveLength(total)
      expect(data.userUpdate.workspaces.at(-1).id).toBe(data.workspaceCreate.id)
    }
  })
})
