import { beforeAll, expect, it } from 'vitest'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Error messages for client mistakes, with the problem, its location, and the valid alternatives. */
const api = serveGraphQL()

let token: string
let w: string
let env: string

beforeAll(async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  w = workspace.id
  token = (await makeApiToken(user)).token
  const project = await makeProject(workspace)
  const query =
    'mutation ($p: ID!) { made: environmentCreate(input: { projectId: $p, name: "production" }) { id } }'
  env = (await api.execute(token, query, { p: project.id })).data.made.id
})

const update = 'mutation ($i: WorkspaceMemberUpdateInput!) { workspaceMemberUpdate(input: $i) { id } }'
const deep = `{ ${'projects(first: 1) { nodes { workspace { '.repeat(5)} id ${'} } }'.repeat(5)} }`

const wrong: [what: string, query: string, variables: () => object, message: string, extensions: object][] = [
  [
    'an unknown enum value in the query',
    'mutation ($w: ID!) { workspaceAppPolicyUpdate(workspaceId: $w, policy: CLOSED) { id } }',
    () => ({ w }),
    'Value "CLOSED" does not exist in "AppPolicy" enum. Valid values: APPROVED, OPEN, OWN.',
    { code: 'GRAPHQL_VALIDATION_FAILED' },
  ],
  [
    'an unknown enum value in a variable',
    update,
    () => ({ i: { workspaceId: w, userId: w, role: 'OWNER' } }),
    'Variable "$i" is not valid at "i.role": Value "OWNER" does not exist in "Role" enum. Valid values: ADMIN, MEMBER, VIEWER.',
    { code: 'GRAPHQL_VALIDATION_FAILED' },
  ],
  [
    'an unknown input field',
    'mutation ($i: VariableUpsertInput!) { variableUpsert(input: $i) { id } }',
    () => ({ i: { environmentId: env, name: 'KEY', value: 'a secret', valu: 'x' } }),
    'Variable "$i" is not valid: Field "valu" is not defined by type "VariableUpsertInput". Did you mean "value"?',
    { code: 'GRAPHQL_VALIDATION_FAILED' },
  ],
  [
    'an invalid name among several variables',
    'mutation ($i: VariablesUpsertInput!) { variablesUpsert(input: $i) { deleted } }',
    () => ({
      i: {
        environmentId: env,
        variables: [
          { name: 'A', value: '' },
          { name: '1B', value: '' },
        ],
      },
    }),
    'Use letters, digits, and underscores, and don’t start with a digit.',
    { code: 'BAD_USER_INPUT', field: 'variables', at: ['variables', 1, 'name'] },
  ],
  [
    'an unknown scope',
    'mutation ($w: ID!) { workspaceAppApprove(input: { workspaceId: $w, clientId: "a", scopes: ["project:viewer", "project:owner"] }) { name } }',
    () => ({ w }),
    '“project:owner” is not one of workspace:admin, workspace:member, workspace:viewer, project:admin, project:member, project:viewer.',
    { code: 'BAD_USER_INPUT', field: 'scopes', at: ['scopes', 1] },
  ],
  [
    'an unknown event',
    'mutation ($w: ID!) { webhookCreate(input: { workspaceId: $w, url: "https://a.example/", events: ["project.*", "nope"] }) { secret } }',
    () => ({ w }),
    'Choose events such as project.created or project.*.',
    { code: 'BAD_USER_INPUT', field: 'events', at: ['events', 1] },
  ],
  [
    'an invalid role for users who join through SSO',
    'mutation ($w: ID!) { workspaceIdentityProviderUpsert(input: { workspaceId: $w, issuer: "https://a.example", clientId: "a", domain: "a.example", joinAs: ADMIN }) { domain } }',
    () => ({ w }),
    'Choose viewer or member. Users can’t become admins by signing in.',
    { code: 'BAD_USER_INPUT', field: 'joinAs' },
  ],
  [
    'an invalid page size',
    '{ projects(first: 101) { nodes { id } } }',
    () => ({}),
    'Request between 1 and 100 items.',
    { code: 'BAD_USER_INPUT', field: 'first' },
  ],
  [
    'an invalid cursor',
    '{ projects(after: "nope") { nodes { id } } }',
    () => ({}),
    'This cursor doesn’t belong to this list. Use a cursor that the same list returned.',
    {
      code: 'BAD_USER_INPUT',
      field: 'after',
      fields: { after: 'This cursor doesn’t belong to this list. Use a cursor that the same list returned.' },
    },
  ],
  [
    'a query that is too deep',
    deep,
    () => ({}),
    'This query is 16 levels deep, and the limit is 12. Request fewer levels, or split the query.',
    { code: 'QUERY_TOO_COMPLEX' },
  ],
  [
    'a query with too many aliases',
    `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: me { id }`).join(' ')} }`,
    () => ({}),
    'This query has 31 aliases, and the limit is 30. Use fewer aliases, or split the query.',
    { code: 'QUERY_TOO_COMPLEX' },
  ],
]

it.each(wrong)(
  'the error for %s states the problem and how to fix it',
  async (_, query, variables, message, extensions) => {
    const { errors } = await api.execute(token, query, variables())
    expect(errors).toMatchObject([{ message, extensions }])
    expect(JSON.stringify(errors)).not.toContain('a secret')
  },
)
