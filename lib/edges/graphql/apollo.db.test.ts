import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client/core'
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors'
import { expect, it } from 'vitest'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Apollo Client, the most common GraphQL client, in its default configuration. */
const api = serveGraphQL()

const clientWith = (token: string) =>
  new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: api.url(), headers: { authorization: `Bearer ${token}` } }),
  })

const pages = gql`
  query Projects($workspaceId: ID!, $after: String) {
    projects(workspaceId: $workspaceId, first: 2, after: $after) {
      edges { node { id name } }
      pageInfo { hasNextPage endCursor }
    }
  }
`

type Page = {
  projects: { edges: { node: { name: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
}

it('Apollo Client reads pages and updates its cache after mutations', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'MEMBER']])
  const [first] = [
    await makeProject(workspace, [], { name: 'a' }),
    await makeProject(workspace, [], { name: 'b' }),
  ]
  await makeProject(workspace, [], { name: 'c' })
  const client = clientWith((await makeApiToken(user)).token)
  const names: string[] = []
  let after: string | undefined
  for (;;) {
    const variables = { workspaceId: workspace.id, after }
    const { data } = await client.query<Page>({ query: pages, variables })
    names.push(...(data?.projects.edges.map((edge) => edge.node.name) ?? []))
    if (!data?.projects.pageInfo.hasNextPage) break
    after = data.projects.pageInfo.endCursor
  }
  expect(names).toEqual(['a', 'b', 'c'])
  const update = gql`mutation ($id: ID!) { projectUpdate(id: $id, input: { name: "z" }) { id name } }`
  await client.mutate({ mutation: update, variables: { id: first?.id } })
  const cached = (client.cache.extract() as Record<string, unknown>)[`Project:${first?.id}`]
  expect(cached).toMatchObject({ name: 'z' })
})

it('Apollo Client receives the codes of field errors and validation errors', async () => {
  const user = await makeUser()
  const app = clientWith((await makeAccessToken(user, ['openid'])).token)
  const refused = await app.query({ query: gql`{ me { id email } }`, errorPolicy: 'all' })
  expect(refused.data).toEqual({ me: { __typename: 'User', id: user.id, email: null } })
  expect(CombinedGraphQLErrors.is(refused.error) && refused.error.errors[0]?.extensions).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    requiredScope: 'email',
  })
  const failure = await app.query({ query: gql`{ nope }` }).catch((error: unknown) => error)
  const codes = CombinedGraphQLErrors.is(failure)
    ? failure.errors.map((error) => error.extensions?.code)
    : ServerError.is(failure)
      ? JSON.parse(failure.bodyText).errors.map(
          (error: { extensions: { code: string } }) => error.extensions.code,
        )
      : failure
  expect(codes).toEqual(['GRAPHQL_VALIDATION_FAILED'])
})
