import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccessToken } from '@/lib/testing/access-token'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The effect of a failed field on other fields, the results of mutations, and lists with their counts. */
const api = serveGraphQL()

let user: Awaited<ReturnType<typeof makeUser>>
let workspace: Awaited<ReturnType<typeof makeWorkspace>>
let token = ''

beforeAll(async () => {
  user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
  token = (await makeApiToken(user)).token
})

const ask = async (query: string, variables?: object) => {
  const { data, errors } = await api.execute(token, query, variables)
  expect(errors).toBeUndefined()
  return data
}

describe('an error', () => {
  const unknownId = '00000000-0000-7000-8000-000000000000'

  it('makes only its own field null, so a secret in the same document is returned and later fields are executed', async () => {
    const { data, errors } = await api.execute(
      token,
      `mutation {
        made: apiTokenCreateWithDetails(input: { name: "kept" }) { secret apiToken { id name displayToken } }
        refused: projectUpdate(id: "${unknownId}", input: { name: "x" }) { id }
        after: projectCreate(input: { workspaceId: "${workspace.id}", name: "After" }) { name }
      }`,
    )
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['refused'], 'NOT_FOUND'],
    ])
    expect(data.refused).toBeNull()
    expect(data.after).toEqual({ name: 'After' })
    const { secret, apiToken } = data.made
    expect(apiToken.displayToken.slice(-4)).toBe(secret.slice(-4))
    expect((await api.execute(secret, '{ me { id } }')).data.me.id).toBe(user.id)
    const revoked = await ask('mutation ($id: ID!) { apiTokenDelete(id: $id) }', { id: apiToken.id })
    expect(revoked).toEqual({ apiTokenDelete: true })
    expect((await api.execute(secret, '{ me { id } }')).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
  })

  it('about a missing scope or an unselected resource does not affect the rest of the response', async () => {
    const project = await makeProject(workspace, [], { name: 'Shared' })
    const { token: confined } = await makeAccessToken(user, ['openid', 'project:viewer'], {
      projects: [project],
    })
    const { data, errors } = await api.execute(
      confined,
      `{ me { id email workspaces { id } } projects { nodes { name } } workspace(workspaceId: "${workspace.id}") { id } }`,
    )
    expect(data).toEqual({
      me: { id: user.id, email: null, workspaces: null },
      projects: { nodes: [{ name: 'Shared' }] },
      workspace: null,
    })
    expect(errors?.map(({ path }) => path?.join('.')).sort()).toEqual([
      'me.email',
      'me.workspaces',
      'workspace',
    ])
  })

  it('about a missing role names the required role and the current role', async () => {
    const viewer = await makeUser()
    const { id } = await makeWorkspace([[viewer, 'VIEWER']])
    const update = 'mutation ($id: ID!) { workspaceUpdate(id: $id, input: { name: "x" }) { id } }'
    const refused = async (by: string, on: string) =>
      (await api.execute(by, update, { id: on })).errors?.[0]?.extensions
    expect(await refused((await makeApiToken(viewer)).token, id)).toMatchObject({
      code: 'FORBIDDEN',
      requiredRole: 'ADMIN',
      role: 'VIEWER',
    })
    const limited = await makeApiToken(user, { role: 'MEMBER' })
    expect(await refused(limited.token, workspace.id)).toMatchObject({
      requiredRole: 'ADMIN',
      role: 'MEMBER',
    })
  })
})

describe('the result of a mutation', () => {
  it('includes the new secret and the app or webhook that it belongs to', async () => {
    const { oauthAppCreate } = await ask(
      `mutation ($w: ID!) { oauthAppCreate(input: { workspaceId: $w, name: "Payloads", type: WEB,
        redirectUris: ["https://a.example/cb"] }) { secret oauthApp { id workspace { id } secrets { lastFour } } } }`,
      { w: workspace.id },
    )
    const { id, secrets } = oauthAppCreate.oauthApp
    expect(oauthAppCreate.secret.slice(-4)).toBe(secrets[0].lastFour)
    expect(oauthAppCreate.oauthApp.workspace).toEqual({ id: workspace.id })
    const { oauthAppSecretCreate: more } = await ask(
      `mutation ($id: ID!, $input: OAuthAppSecretCreateInput) { oauthAppSecretCreate(id: $id, input: $input) {
        secret oauthAppSecret { id lastFour name expiresAt } oauthApp { id } } }`,
      { id, input: { name: 'Blue', expiresAt: '2199-01-01T00:00:00.000Z' } },
    )
    expect([more.oauthApp.id, more.oauthAppSecret.lastFour]).toEqual([id, more.secret.slice(-4)])
    expect(more.oauthAppSecret).toMatchObject({ name: 'Blue', expiresAt: '2199-01-01T00:00:00.000Z' })
    const { webhookCreate } = await ask(
      `mutation ($w: ID!) { webhookCreate(input: { workspaceId: $w, url: "https://a.example/", events: ["token.*"] }) {
        secret webhook { id } } }`,
      { w: workspace.id },
    )
    const { webhookSecretRotate } = await ask(
      'mutation ($id: ID!) { webhookSecretRotate(id: $id) { secret webhook { id previousSecretExpiresAt } } }',
      { id: webhookCreate.webhook.id },
    )
    expect(webhookSecretRotate.webhook.id).toBe(webhookCreate.webhook.id)
    expect(webhookSecretRotate.secret).not.toBe(webhookCreate.secret)
  })
})

describe('a list', () => {
  it('of apps is sorted by name and read in pages, with a constant number of statements', async () => {
    const { id: w } = await makeWorkspace([[user, 'ADMIN']])
    const create = `mutation ($w: ID!, $name: String!) { oauthAppCreate(input: { workspaceId: $w, name: $name, type: WEB,
      redirectUris: ["https://a.example/cb"] }) { oauthApp { id } } }`
    for (const name of ['cherry', 'Apple', 'banana']) await ask(create, { w, name })
    const list = `query ($w: ID!, $first: Int, $after: String, $last: Int, $before: String) {
      oauthApps(workspaceId: $w, first: $first, after: $after, last: $last, before: $before) {
        totalCount nodes { name userCount secrets { lastFour } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`
    const read = async (args: object) => (await ask(list, { w, ...args })).oauthApps
    const named = ({ nodes }: { nodes: { name: string }[] }) => nodes.map(({ name }) => name)
    const one = await read({ first: 2 })
    expect([named(one), one.totalCount, one.pageInfo.hasNextPage]).toEqual([['Apple', 'banana'], 3, true])
    expect(named(await read({ first: 2, after: one.pageInfo.endCursor }))).toEqual(['cherry'])
    const last = await read({ last: 2 })
    expect([named(last), last.pageInfo.hasPreviousPage]).toEqual([['banana', 'cherry'], true])
    expect(named(await read({ last: 2, before: last.pageInfo.startCursor }))).toEqual(['Apple'])
    const refused = await api.execute(token, list, { w, after: '!' })
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'after' })
    const statements = async (first: number) =>
      (await countStatements(() => read({ first }))).statements.length
    expect(await statements(3)).toBe(await statements(1))
  })

  it('is counted only on request, with one statement for all nested lists of the same kind', async () => {
    const owner = await makeUser()
    const mine = (await makeApiToken(owner)).token
    for (const projects of [1, 3]) {
      const home = await makeWorkspace([[owner, 'ADMIN']])
      for (let n = 0; n < projects; n++) await makeProject(home, [], { name: `P${n}` })
    }
    const query = (count: string) =>
      `{ me { workspaces { projects(first: 1) { ${count} nodes { name environments { ${count} nodes { id } } } } } } }`
    const run = (count: string) => countStatements(() => api.execute(mine, query(count)))
    const [plain, counted] = [await run(''), await run('totalCount')]
    expect(counted.value.data.me.workspaces.map((each: { projects: object }) => each.projects)).toMatchObject(
      [
        { totalCount: 1, nodes: [{ environments: { totalCount: 0 } }] },
        { totalCount: 3, nodes: [{ environments: { totalCount: 0 } }] },
      ],
    )
    expect(counted.statements.length).toBe(plain.statements.length + 2)
  })

  it('of projects can be searched by name, but contains only projects that the caller can see', async () => {
    const owner = await makeUser()
    const home = await makeWorkspace([[owner, 'ADMIN']])
    const mine = (await makeApiToken(owner)).token
    await makeProject(await makeWorkspace(), [], { name: 'Needle of others' })
    for (const name of ['Needle', 'hay', 'small NEEDLE', 'x_y', 'xzy']) await makeProject(home, [], { name })
    const search = async (args: object) => {
      const { data, errors } = await api.execute(
        mine,
        'query ($search: String, $w: ID, $first: Int) { projects(search: $search, workspaceId: $w, first: $first) { totalCount nodes { name } } }',
        args,
      )
      return errors ? errors[0]?.extensions.code : [data.projects.totalCount, data.projects.nodes]
    }
    expect(await search({ search: 'needle', first: 1 })).toEqual([2, [{ name: 'Needle' }]])
    expect(await search({ search: 'x_y', w: home.id })).toEqual([1, [{ name: 'x_y' }]])
    expect(await search({ search: 'needle', w: workspace.id })).toBe('NOT_FOUND')
  })

  it('can be filtered by variable name, token expiry, or notification type', async () => {
    const project = await makeProject(workspace)
    const { environmentCreate } = await ask(
      'mutation ($p: ID!) { environmentCreate(input: { projectId: $p, name: "production" }) { id } }',
      { p: project.id },
    )
    const e = environmentCreate.id
    for (const name of ['A', 'B', 'C']) {
      await ask(
        `mutation { variableUpsert(input: { environmentId: "${e}", name: "${name}", value: "1" }) { id } }`,
      )
    }
    expect(
      await ask(`{ variables(environmentId: "${e}", names: ["A", "C", "D"]) { totalCount nodes { name } } }`),
    ).toEqual({ variables: { totalCount: 2, nodes: [{ name: 'A' }, { name: 'C' }] } })
    await makeApiToken(user, { expiresAt: new Date('2126-01-01') })
    await makeApiToken(user, { expiresAt: new Date('2127-01-01') })
    const ending =
      '{ apiTokens(filter: { expiresBefore: "2126-06-01T00:00:00Z" }) { totalCount nodes { expiresAt } } }'
    expect((await ask(ending)).apiTokens).toEqual({
      totalCount: 1,
      nodes: [{ expiresAt: '2126-01-01T00:00:00.000Z' }],
    })
    expect(
      (await ask('{ notifications(types: [TOKEN_REUSED]) { totalCount } }')).notifications.totalCount,
    ).toBe(0)
  })
})
