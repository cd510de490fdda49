import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccessToken } from '@/lib/testing/access-token'
import { countStatements } from '@/lib/testing/count-statements'
import { type EveryKind, makeEveryKind } from '@/lib/testing/every-kind'
import { makeApiToken, makeProject } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { schema } from './schema'

/** `node` and `nodes`, for every type with an ID. */
const api = serveGraphQL()

let world: EveryKind
beforeAll(async () => {
  world = await makeEveryKind(api)
})

const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }'

describe('nodes', () => {
  it('have test data for every type that implements Node', () => {
    const types = schema.getPossibleTypes(schema.getType('Node') as never).map(({ name }) => name)
    expect(types.sort()).toEqual(Object.keys(world.ids).sort())
  })

  it('are found by ID, in the order of the IDs', async () => {
    const expected = Object.entries(world.ids).map(([type, id]) => ({ __typename: type, id }))
    expect((await world.ask(query, { ids: expected.map(({ id }) => id) })).nodes).toEqual(expected)
    for (const { id, __typename } of expected) {
      const one = await world.ask(
        `query ($id: ID!) { node(id: $id) { __typename id ... on Project { name role } } }`,
        { id },
      )
      expect(one.node).toMatchObject({ __typename, id })
    }
    const { node } = await world.ask('query ($id: ID!) { node(id: $id) { id } }', {
      id: world.guestInvitation,
    })
    expect(node.id).toBe(world.guestInvitation)
  })

  it('are reported as not found to users without access', async () => {
    const { token } = await makeApiToken(world.stranger)
    const ids = Object.values(world.ids)
    const { data, errors } = await api.execute(token, query, { ids })
    expect(data.nodes).toEqual(ids.map(() => null))
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(ids.map(() => 'NOT_FOUND'))
    for (const { message } of errors ?? []) expect(message).toMatch(/^The .+ was not found/)
  })

  it('are visible to a viewer only if viewers can read them elsewhere in the API', async () => {
    const { token } = await makeApiToken(world.viewer)
    const { data } = await api.execute(token, query, { ids: Object.values(world.ids) })
    const seen = data.nodes.flatMap((node: { __typename: string } | null) => node?.__typename ?? [])
    expect(seen.sort()).toEqual(['Environment', 'Project', 'Variable', 'Workspace'])
  })

  it('are null if a scope is missing, with an error that names the scope', async () => {
    const shared = { workspaces: [world.workspace] }
    const { token } = await makeAccessToken(world.admin, ['openid', 'workspace:viewer'], shared)
    const { data, errors } = await api.execute(token, query, { ids: Object.values(world.ids) })
    const seen = data.nodes.flatMap((node: { __typename: string } | null) => node?.__typename ?? [])
    expect(seen.sort()).toEqual(['Environment', 'Project', 'User', 'Variable', 'Workspace'])
    expect(errors?.map(({ extensions }) => extensions.requiredScope ?? extensions.code).sort()).toEqual(
      [
        'FORBIDDEN',
        'FORBIDDEN',
        'FORBIDDEN',
        'notifications',
        'project:admin',
        'ssh_keys',
        ...Array(5).fill('workspace:admin'),
      ].sort(),
    )
  })

  it('are null for malformed IDs, but a list of more than a hundred IDs is rejected', async () => {
    const { data, errors } = await api.execute(world.token, query, { ids: ['x', '', world.project.id] })
    expect(data.nodes.map((node: object | null) => node !== null)).toEqual([false, false, true])
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    const many = await api.execute(world.token, query, { ids: Array(101).fill(world.project.id) })
    expect(many.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'ids' })
  })

  it('require the same number of SQL statements for one ID and for twenty', async () => {
    const more = []
    for (let n = 0; n < 20; n++) more.push((await makeProject(world.workspace)).id)
    const statements = async (ids: string[]) =>
      (await countStatements(() => world.ask(query, { ids }))).statements.length
    expect(await statements(more)).toBe(await statements(more.slice(0, 1)))
  })
})
