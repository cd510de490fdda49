import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { countRequest, counts, writeCounts } from '@/lib/features/figures/count-usage'
import { makeAccessToken } from '@/lib/testing/access-token'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeUser } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The limits on queries and callers (ADR 0012). */
const api = serveGraphQL()
let token = ''

beforeAll(async () => {
  token = (await makeApiToken(await makeUser())).token
})

const outcome = async (query: string, variables?: object) => {
  const { status, errors } = await api.execute(token, query, variables)
  return [status, errors?.[0]?.extensions.code]
}

const tooComplex = [400, 'QUERY_TOO_COMPLEX']
const fine = [200, undefined]

describe('the limits on a query', () => {
  it('allow twelve levels but not thirteen', async () => {
    const nested = (levels: number) => {
      const path = ['me', 'workspaces']
      while (path.length < levels - 1) path.push(...['projects(first: 1)', 'edges', 'node', 'workspace'])
      const used = path.slice(0, levels - 1)
      return `{ ${used.join(' { ')} { __typename ${'} '.repeat(used.length)}}`
    }
    expect(await outcome(nested(12))).toEqual(fine)
    expect(await outcome(nested(13))).toEqual(tooComplex)
  })

  it('allow thirty aliases but not thirty-one', async () => {
    const aliases = (n: number, field = 'id') =>
      `{ me { ${Array.from({ length: n }, (_, i) => `a${i}: ${field}`).join(' ')} } }`
    expect(await outcome(aliases(30))).toEqual(fine)
    expect(await outcome(aliases(31))).toEqual(tooComplex)
    expect(await outcome(aliases(30, '__typename'))).toEqual(fine)
    expect(await outcome(aliases(31, '__typename'))).toEqual(tooComplex)
  })

  it('count the requested fields for each ID in a variable, each time the variable is used', async () => {
    const fields = Array.from({ length: 29 }, (_, i) => `a${i}: id`).join(' ')
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ${fields} } b: projectsByIds(ids: []) { id } }`
    const price = async (count: number) => {
      const ids = Array.from({ length: count }, () => randomUUID())
      return (await api.execute(token, query, { ids })).extensions.cost?.requested
    }
    expect([await price(1), await price(3), await price(1)]).toEqual([31, 93, 31])
    const many = Array.from({ length: 100 }, () => randomUUID())
    const twice = `query ($ids: [ID!]!) { a: nodes(ids: $ids) { ${fields} } b: nodes(ids: $ids) { ${fields} } }`
    expect(await outcome(twice, { ids: many })).toEqual(tooComplex)
  })

  it('apply to the cost of pages with a literal, variable, or default size', async () => {
    const nested = (outer: string, inner: string) =>
      `query ($n: Int, $m: Int = 100) { me { workspaces { projects(${outer}) { edges { node { id workspace { projects(${inner}) {
        edges { node { id } } pageInfo { hasNextPage } } } } } } } } b: me @skip(if: true) { workspaces {
        projects(first: $n) { edges { cursor } } c: projects(first: $m) { edges { cursor } } } } }`
    expect(await outcome(nested('first: 5', 'first: 5'), { n: 1 })).toEqual(fine)
    expect(await outcome(nested('first: 100', 'first: 100'), { n: 1 })).toEqual(tooComplex)
    expect(await outcome(nested('first: $n', 'first: $n'), { n: 5 })).toEqual(fine)
    expect(await outcome(nested('first: $n', 'first: $n'), { n: 100 })).toEqual(tooComplex)
    expect(await outcome(nested('last: 100', 'last: 100'), { n: 1 })).toEqual(tooComplex)
    expect(await outcome(nested('after: null', 'before: null'), { n: 1 })).toEqual(tooComplex)
    expect(await outcome(nested('first: $m', 'first: $m'), { n: 1 })).toEqual(tooComplex)
  })

  it('depend on the default value of a page size variable only if the variable is omitted', async () => {
    const nested = (page: number) => `query ($n: Int = ${page}) { projects(first: $n) { edges { node {
      workspace { projects(first: 20) { edges { cursor } } } } } } }`
    expect(await outcome(nested(100), { n: null })).toEqual(fine)
    expect(await outcome(nested(100))).toEqual(tooComplex)
    expect(await outcome(nested(100), { n: 5 })).toEqual(fine)
    expect(await outcome(nested(20))).toEqual(fine)
    expect(await outcome(nested(20), { n: 100 })).toEqual(tooComplex)
  })

  it('apply inside fragments', async () => {
    const query = `{ me { workspaces { projects(first: 100) { ...p } } } }
      fragment p on ProjectConnection { edges { node { workspace { projects(first: 100) { edges { node { id name } } } } } } }`
    expect(await outcome(query)).toEqual(tooComplex)
  })

  it('stop a query with thousands of tokens before validation', async () => {
    expect(await outcome(`{ me { ${'id '.repeat(6000)} } }`)).toEqual([400, 'GRAPHQL_PARSE_FAILED'])
  })

  it('prevent deeply nested values from exhausting the stack', async () => {
    const list = '['.repeat(2400) + ']'.repeat(2400)
    expect(await outcome(`{ projects(first: ${list}) { edges { cursor } } }`)).toEqual(tooComplex)
    const variables = JSON.parse(`{ "a": ${'['.repeat(900)}${']'.repeat(900)} }`)
    expect(await outcome('{ __typename }', variables)).toEqual([400, 'BAD_REQUEST'])
  })

  it('do not allow NUL characters, which PostgreSQL cannot store', async () => {
    expect(await outcome('{ project(id: "a\\u0000b") { id } }')).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
    expect(await outcome('query ($id: ID!) { project(id: $id) { id } }', { id: 'a\0b' })).toEqual([
      400,
      'BAD_REQUEST',
    ])
  })
})

describe('the rate limiter', () => {
  afterEach(() => {
    delete process.env.RATE_LIMIT_PER_HOUR
    resetConfig()
  })

  const limitTo = (limit: number) => {
    process.env.RATE_LIMIT_PER_HOUR = String(limit)
    resetConfig()
  }

  const headersOf = (reply: Awaited<ReturnType<typeof api.execute>>) =>
    ['limit', 'remaining'].map((name) => Number(reply.headers.get(`x-ratelimit-${name}`)))

  it('counts down the remaining requests, then returns 429 with a Retry-After header', async () => {
    limitTo(2)
    const made = await makeApiToken(await makeUser())
    expect(headersOf(await api.execute(made.token, '{ me { id } }'))).toEqual([2, 1])
    expect(headersOf(await api.execute(made.token, '{ me { nope } }'))).toEqual([2, 0])
    const reply = await api.execute(made.token, '{ me { id } }')
    expect([reply.status, reply.errors?.[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED'])
    const wait = Number(reply.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(3600)
    expect(reply.errors?.[0]?.extensions.retryAfter).toBe(wait)
    expect(Number(reply.headers.get('x-ratelimit-reset')) % 3600).toBe(0)
    const other = await makeApiToken(await makeUser())
    expect((await api.execute(other.token, '{ me { id } }')).status).toBe(200)
  })

  it('includes the counts of other processes after they are written to the database', async () => {
    limitTo(5)
    const made = await makeApiToken(await makeUser())
    for (let i = 0; i < 3; i++) await api.execute(made.token, '{ me { id } }')
    await writeCounts.now()
    expect(await prisma().requestCount.findMany({ where: { credentialId: made.row.id } })).toMatchObject([
      { requests: 3 },
    ])
    // Simulate another process, which has not counted these three requests.
    counts().clear()
    expect(headersOf(await api.execute(made.token, '{ me { id } }'))).toEqual([5, 4])
    await writeCounts.now()
    expect(headersOf(await api.execute(made.token, '{ me { id } }'))).toEqual([5, 0])
    expect((await api.execute(made.token, '{ me { id } }')).status).toBe(429)
  })

  it('counts an access token’s requests toward the limit of its authorization', async () => {
    limitTo(1)
    const made = await makeAccessToken(await makeUser(), ['openid'])
    expect((await api.execute(made.token, '{ me { id } }')).status).toBe(200)
    expect(counts().get(made.authorization.id)).toMatchObject({ pending: 1 })
  })

  it('counts requests without writing to the database, and records the last use of a token later', async () => {
    const made = [await makeApiToken(await makeUser()), await makeApiToken(await makeUser())] as const
    const app = await makeAccessToken(await makeUser(), ['openid'])
    const { statements } = await countStatements(async () => {
      for (const { token } of [...made, ...made, app]) await api.execute(token, '{ me { id } }')
    })
    expect(statements.filter((text) => !text.trim().startsWith('SELECT'))).toEqual([])
    await writeCounts.now()
    const rows = await prisma().apiToken.findMany({ where: { id: { in: made.map(({ row }) => row.id) } } })
    expect(rows.every((row) => row.lastUsedAt !== null)).toBe(true)
    const authorization = await prisma().authorization.findUniqueOrThrow({
      where: { id: app.authorization.id },
    })
    expect(authorization.lastUsedAt).not.toBeNull()
  })

  it('writes each count exactly once, even in parallel, with at most four statements', async () => {
    const made = [await makeApiToken(await makeUser()), await makeApiToken(await makeUser())]
    const app = await makeAccessToken(await makeUser(), ['openid'])
    const { statements } = await countStatements(
      () => {
        for (let i = 0; i < 20; i++) {
          for (const { row } of made) countRequest({ table: 'api_tokens', id: row.id })
          countRequest({ table: 'authorizations', id: app.authorization.id })
        }
        // Write twice in parallel, as if the process exited while the timer was writing.
        return Promise.all([writeCounts.now(), writeCounts.now()])
      },
      { withSettling: true },
    )
    expect(statements.length).toBeGreaterThanOrEqual(3)
    expect(statements.length).toBeLessThanOrEqual(4)
    const credentialIds = [...made.map(({ row }) => row.id), app.authorization.id]
    const known = await prisma().requestCount.findMany({ where: { credentialId: { in: credentialIds } } })
    expect(known.map(({ requests }) => requests)).toEqual([20, 20, 20])
  })
})
