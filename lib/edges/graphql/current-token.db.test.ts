import { beforeAll, expect, it } from 'vitest'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The information that a token can read about itself, and the cost in every response. */
const api = serveGraphQL()

const query = `{ currentToken { kind id name scopes role expiresAt workspace { id } project { id }
  authorization { id clientId workspaces { id } projects { id } } rateLimit { limit remaining resetsAt } } }`

let user: Awaited<ReturnType<typeof makeUser>>
let workspace: Awaited<ReturnType<typeof makeWorkspace>>
let project: Awaited<ReturnType<typeof makeProject>>
beforeAll(async () => {
  user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
  project = await makeProject(workspace)
})

const read = async (token: string) => {
  const { data, errors, headers } = await api.execute(token, query)
  expect(errors).toBeUndefined()
  const { rateLimit } = data.currentToken
  expect([rateLimit.limit, rateLimit.remaining, Date.parse(rateLimit.resetsAt) / 1000].map(String)).toEqual(
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`)),
  )
  return data.currentToken
}

it('currentToken returns the kind, name, role, expiry, and limits of an API token', async () => {
  const expiresAt = new Date(Date.now() + 90 * 86_400_000)
  const account = await makeApiToken(user, { role: 'MEMBER', expiresAt })
  expect(await read(account.token)).toMatchObject({
    kind: 'ACCOUNT_TOKEN',
    id: account.row.id,
    name: account.row.name,
    role: 'MEMBER',
    expiresAt: expiresAt.toISOString(),
    scopes: null,
    workspace: null,
    project: null,
    authorization: null,
  })
  expect(await read((await makeApiToken(user, { workspace })).token)).toMatchObject({
    kind: 'WORKSPACE_TOKEN',
    expiresAt: null,
    workspace: { id: workspace.id },
  })
  expect(await read((await makeApiToken(user, { project })).token)).toMatchObject({
    kind: 'PROJECT_TOKEN',
    project: { id: project.id },
    workspace: null,
  })
})

it('currentToken returns an app’s scopes and selected resources, with an error for an inaccessible workspace', async () => {
  const left = await makeWorkspace([[await makeUser(), 'ADMIN']])
  const { token } = await makeAccessToken(user, ['openid', 'workspace:viewer', 'project:member'], {
    workspaces: [workspace, left],
    projects: [project],
  })
  const { data, errors } = await api.execute(token, query)
  const { scopes, authorization, expiresAt, ...rest } = data.currentToken
  expect(scopes.sort()).toEqual(['openid', 'project:member', 'workspace:viewer'])
  expect(authorization.workspaces).toEqual([{ id: workspace.id }, null])
  expect(authorization.projects).toEqual([{ id: project.id }])
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
  expect(rest).toMatchObject({ kind: 'OAUTH', id: null, role: null, workspace: null, project: null })
  expect(errors?.map(({ path, extensions }) => [path?.join('.'), extensions.code])).toEqual([
    ['currentToken.authorization.workspaces.1', 'NOT_FOUND'],
  ])
})

it('the response to a valid operation reports the operation’s cost and the cost limit', async () => {
  const { token } = await makeApiToken(user)
  const cost = async (text: string) => (await api.execute(token, text)).extensions.cost
  expect(await cost('{ me { id name } }')).toEqual({ requested: 4, budget: 5_000 })
  expect(await cost('{ projects(first: 10) { nodes { id } } }')).toEqual({ requested: 32, budget: 5_000 })
  expect(await cost('{ nothing }')).toBeUndefined()
})
