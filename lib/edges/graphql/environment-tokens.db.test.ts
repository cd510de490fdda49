import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const api = serveGraphQL()

let user: { id: string }
let p: string
let production: string
let staging: string
let token: string
let ids: string[]

beforeEach(async () => {
  user = await makeUser()
  const project = await makeProject(await makeWorkspace([[user, 'ADMIN']]))
  p = project.id
  const account = (await makeApiToken(user)).token
  const add = async (name: string) => {
    const create =
      'mutation ($p: ID!, $n: String!) { environmentCreate(input: { projectId: $p, name: $n }) { id } }'
    const { id } = (await api.execute(account, create, { p, n: name })).data.environmentCreate
    const set = `mutation ($e: ID!) { variableUpsert(input: { environmentId: $e, name: "KEY", value: "${name} value" }) { id } }`
    return [id, (await api.execute(account, set, { e: id })).data.variableUpsert.id]
  }
  const [one, two] = [await add('production'), await add('staging')]
  ;[production, staging] = [one[0], two[0]]
  ids = [...one, ...two]
  const made = await api.execute(
    account,
    `mutation ($p: ID!, $e: ID!) { projectTokenCreate(input: { projectId: $p, environmentId: $e, name: "staging" }) {
      secret projectToken { displayToken environmentId environment { name } } } }`,
    { p, e: staging },
  )
  token = made.data.projectTokenCreate.secret
  expect(made.data.projectTokenCreate.projectToken).toEqual({
    displayToken: `lk_env_…${token.slice(-4)}`,
    environmentId: staging,
    environment: { name: 'staging' },
  })
})

const ask = (query: string, variables: object = {}) => api.execute(token, query, variables)
const code = async (query: string, variables: object) => {
  const { data, errors } = await ask(query, variables)
  return errors ? [...new Set(errors.map(({ extensions }) => extensions.code))].join() : JSON.stringify(data)
}

describe('a project token for one environment', () => {
  it('gets only that environment in lists and counts', async () => {
    const { data, errors } = await ask(
      `query ($p: ID!) {
        environments(projectId: $p) { totalCount nodes { id } }
        project(id: $p) { environments { totalCount nodes { name variables { nodes { value } } } } }
        projectToken { project { id } environment { id } }
        currentToken { kind environment { name } } }`,
      { p },
    )
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      environments: { totalCount: 1, nodes: [{ id: staging }] },
      project: {
        environments: {
          totalCount: 1,
          nodes: [{ name: 'staging', variables: { nodes: [{ value: 'staging value' }] } }],
        },
      },
      projectToken: { project: { id: p }, environment: { id: staging } },
      currentToken: { kind: 'PROJECT_TOKEN', environment: { name: 'staging' } },
    })
  })

  it.each([
    'query ($e: ID!) { environment(id: $e) { id } }',
    'query ($e: ID!) { node(id: $e) { id } }',
    'query ($e: ID!) { nodes(ids: [$e]) { id } }',
    'query ($e: ID!) { variables(environmentId: $e) { nodes { value } } }',
    'query ($e: ID!) { variableChanges(environmentId: $e) { nodes { name } } }',
    'mutation ($e: ID!) { variableUpsert(input: { environmentId: $e, name: "K", value: "v" }) { value } }',
    'mutation ($e: ID!) { variablesUpsert(input: { environmentId: $e, variables: [], replace: true }) { deleted } }',
    'mutation ($e: ID!) { variableDelete(input: { environmentId: $e, name: "KEY" }) }',
  ])('cannot access another environment: %s', async (query) => {
    expect(await code(query, { e: production })).toBe('RESOURCE_NOT_SHARED')
    expect(await prisma().variable.count({ where: { environmentId: production } })).toBe(1)
    expect((await ask(query, { e: staging })).errors).toBeUndefined()
  })

  it('cannot read another environment or its variables by ID', async () => {
    const { data, errors } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })
    expect(data.nodes).toEqual([null, null, { id: ids[2] }, { id: ids[3] }])
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual([
      'RESOURCE_NOT_SHARED',
      'RESOURCE_NOT_SHARED',
    ])
  })

  it.each([
    'mutation ($p: ID!) { projectUpdate(id: $p, input: { name: "x" }) { id } }',
    'mutation ($p: ID!) { projectDelete(id: $p) }',
    'mutation ($p: ID!) { environmentCreate(input: { projectId: $p, name: "x" }) { id } }',
    'query ($p: ID!) { projectTokens(projectId: $p) { nodes { id } } }',
    'query ($p: ID!) { projectMembers(projectId: $p) { nodes { name email } } }',
    'query ($p: ID!) { project(id: $p) { members { name email } } }',
    'query ($p: ID!) { projectInvitations(projectId: $p) { nodes { id } } }',
  ])('cannot change the project or read its tokens, members, or invitations: %s', async (query) => {
    expect(await code(query, { p })).toBe('RESOURCE_NOT_SHARED')
  })

  it('cannot rename or delete its environment, and is revoked when the environment is deleted', async () => {
    const rename = 'mutation ($e: ID!) { environmentRename(id: $e, input: { name: "x" }) { id } }'
    const remove = 'mutation ($e: ID!) { environmentDelete(id: $e) }'
    expect(await code(rename, { e: staging })).toBe('RESOURCE_NOT_SHARED')
    expect(await code(remove, { e: staging })).toBe('RESOURCE_NOT_SHARED')
    expect(
      (await api.execute((await makeApiToken(user)).token, remove, { e: staging })).errors,
    ).toBeUndefined()
    expect(await code('{ currentToken { id } }', {})).toBe('UNAUTHENTICATED')
  })

  it('is accepted in the Project-Access-Token header', async () => {
    const headers = { 'content-type': 'application/json', 'project-access-token': token }
    const body = JSON.stringify({ query: '{ projectToken { environmentId } }' })
    const { data } = await api.send({ method: 'POST', headers, body })
    expect(data.projectToken.environmentId).toBe(staging)
  })

  it('can be created only for an environment of its project', async () => {
    const elsewhere = await makeProject(await makeWorkspace([[user, 'ADMIN']]))
    const create =
      'mutation ($p: ID!, $e: ID!) { projectTokenCreate(input: { projectId: $p, environmentId: $e, name: "x" }) { secret } }'
    for (const e of [staging, 'nope']) {
      const { errors } = await api.execute((await makeApiToken(user)).token, create, { p: elsewhere.id, e })
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'environmentId' })
    }
  })
})
