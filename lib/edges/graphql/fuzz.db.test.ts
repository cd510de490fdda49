import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '@/lib/base/errors/codes'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { fc } from '@/lib/testing/seeded-cases'
import { schema } from './schema'

/**
 * Random operations, valid and invalid, by random callers. They must never cause an internal error, a status
 * outside the contract, or a response with data from a workspace that the caller cannot see.
 */
const api = serveGraphQL()

/** A word in every name, description, and URL that the callers must not be able to read. */
const secret = 'zanzibar'

let tokens: string[] = []
let ids: string[] = []

beforeAll(async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'MEMBER']])
  const project = await makeProject(workspace)
  const owner = await makeUser({ name: secret, email: `${secret}@example.com` })
  const hidden = await makeWorkspace([[owner, 'ADMIN']], { name: secret })
  const hiddenProject = await makeProject(hidden, [[owner, 'ADMIN']], { name: secret, description: secret })
  await makeApiToken(owner, { project: hiddenProject })
  ids = [workspace.id, project.id, user.id, hidden.id, hiddenProject.id, owner.id]
  const share = { workspaces: [workspace, hidden], projects: [project, hiddenProject] }
  tokens = [
    (await makeApiToken(user)).token,
    (await makeApiToken(user, { workspace })).token,
    (await makeApiToken(user, { project })).token,
    (await makeAccessToken(user, ['openid', 'workspace:admin', 'project:admin'], share)).token,
    (await makeAccessToken(user, ['openid', 'email', 'notifications', 'ssh_keys'])).token,
    'garbage',
  ]
})

const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'x',
    '00000000-0000-0000-0000-000000000000',
    '\0',
    '\ud800',
    "'; DROP TABLE users; --",
  ),
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.string({ maxLength: 300 }),
)

const literal = (type: GraphQLInputType): fc.Arbitrary<string> => {
  const nullable = getNullableType(type)
  const value = (): fc.Arbitrary<string> => {
    if (isListType(nullable))
      return fc.array(literal(nullable.ofType), { maxLength: 3 }).map((each) => `[${each}]`)
    if (isEnumType(nullable)) return fc.constantFrom(...nullable.getValues().map((each) => each.name))
    if (isInputObjectType(nullable))
      return fields(Object.values(nullable.getFields())).map((each) => `{ ${each} }`)
    if (nullable.toString() === 'Int')
      return fc.oneof(fc.integer({ min: -5, max: 120 }), fc.integer()).map(String)
    if (nullable.toString() === 'Boolean') return fc.boolean().map(String)
    if (nullable.toString() === 'ID') {
      return fc.oneof(
        fc.nat(5).map((n) => JSON.stringify(ids[n])),
        texts.map((each) => JSON.stringify(each)),
      )
    }
    if (nullable.toString() === 'DateTime') {
      return fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date.toISOString())),
        fc.constant('"2026-02-30T25:00:00Z"'),
      )
    }
    return texts.map((each) => JSON.stringify(each))
  }
  return isNonNullType(type)
    ? value()
    : fc.oneof({ weight: 4, arbitrary: value() }, { weight: 1, arbitrary: fc.constant('null') })
}

/** Generates all required arguments and some optional arguments. */
const fields = (all: readonly Pick<GraphQLArgument, 'name' | 'type'>[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...all.map((each) =>
        literal(each.type).chain((value) =>
          isNonNullType(each.type)
            ? fc.constant(`${each.name}: ${value}`)
            : fc.constantFrom('', `${each.name}: ${value}`),
        ),
      ),
    )
    .map((each) => each.filter(Boolean).join(', '))

const selection = (type: GraphQLObjectType, depth: number): fc.Arbitrary<string> =>
  fc
    .shuffledSubarray(Object.values(type.getFields()), { minLength: 1 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.slice(0, 4).map((field) => {
          const named = getNamedType(field.type)
          const args = field.args.length
            ? fields(field.args).map((each) => (each ? `(${each})` : ''))
            : fc.constant('')
          if (isLeafType(named)) return args.map((each) => field.name + each)
          if (!isObjectType(named) || depth === 0) return fc.constant('__typename')
          return fc
            .tuple(args, selection(named, depth - 1))
            .map(([each, inner]) => `${field.name}${each} { ${inner} }`)
        }),
      ),
    )
    .map((each) => each.join(' '))

const rootOf = (kind: 'query' | 'mutation') =>
  (kind === 'query' ? schema.getQueryType() : schema.getMutationType()) as GraphQLObjectType

/** Mutations that would delete the callers' test data. */
const spared =
  /workspaceLeave|workspaceDelete|projectDelete|apiTokenDelete|authorizedApp|workspaceMember|projectMember/

const sound = fc
  .constantFrom('query' as const, 'mutation' as const)
  .chain((kind) => selection(rootOf(kind), 4).map((each) => `${kind} { ${each} }`))

const broken = fc.tuple(sound, fc.nat(400), fc.string({ maxLength: 5 })).map(([query, at, what]) => {
  const place = at % query.length
  return query.slice(0, place) + what + query.slice(place + what.length)
})

const check = async (token: string, query: string) => {
  const { status, data, errors, extensions } = await api.execute(token, query)
  expect([200, 400]).toContain(status)
  expect(extensions.traceId).toMatch(/^[0-9a-f]{20}$/)
  for (const error of errors ?? []) {
    expect(Object.keys(errorCodes)).toContain(error.extensions.code)
    expect(error.extensions.code, query).not.toBe('INTERNAL_SERVER_ERROR')
  }
  expect(JSON.stringify(data ?? null)).not.toContain(secret)
  if (!query.includes(secret)) expect(JSON.stringify(errors ?? null)).not.toContain(secret)
}

describe('random requests', () => {
  it.each([
    ['valid', sound],
    ['invalid', broken],
  ])(
    'do not cause an internal error or reveal hidden data if the operation is %s',
    async (_title, queries) => {
      const runs = Number(process.env.FUZZ_RUNS ?? 300)
      await fc.assert(
        fc.asyncProperty(fc.nat(5), queries, async (caller, query) => {
          if (!spared.test(query)) await check(tokens[caller] as string, query)
        }),
        { numRuns: runs },
      )
    },
    120_000,
  )

  it('are rejected if the body is an arbitrary JSON value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens[0]}` }
        const reply = await api.send({ method: 'POST', headers, body })
        expect([reply.status, reply.errors?.[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST'])
      }),
      { numRuns: 100 },
    )
  })
})
