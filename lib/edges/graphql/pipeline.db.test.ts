import { expect, it } from 'vitest'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const api = serveGraphQL()

it('the API accepts IDs in variables declared as strings, but rejects other type mismatches', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const project = await makeProject(workspace, [])
  const { token } = await makeApiToken(user)
  for (const type of ['String!', 'ID!']) {
    const query = `query ($id: ${type}) { project(id: $id) { id } }`
    expect(await api.execute(token, query, { id: project.id })).toMatchObject({
      data: { project: { id: project.id } },
    })
  }
  for (const [query, variables] of [
    ['query ($id: Int!) { project(id: $id) { id } }', { id: 1 }],
    ['query ($id: String) { project(id: $id) { id } }', { id: project.id }],
    ['query ($first: String) { projects(first: $first) { edges { node { id } } } }', { first: '1' }],
  ] as const) {
    const { errors } = await api.execute(token, query, variables)
    expect(errors?.[0]?.extensions?.code).toBe('GRAPHQL_VALIDATION_FAILED')
  }
})
