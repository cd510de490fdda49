import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { graphqlLimits } from '@/lib/base/config/limits'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { countRows } from '@/lib/testing/count-rows'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The limits on the size and duration of one response, and on unauthenticated requests. */
const limits = { ...graphqlLimits }
const api = serveGraphQL(limits)

afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(limits, graphqlLimits)
})

/** Returns a response as text, to measure its size. */
const ask = async (token: string, query: string) => {
  const response = await fetch(api.url(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  })
  const text = await response.text()
  return { status: response.status, text, ...JSON.parse(text) }
}

const tooComplex = [{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]

describe('a small query with a large response', () => {
  let token = ''
  let workspaceId = ''

  beforeAll(async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    workspaceId = workspace.id
    await pool().query(`INSERT INTO users (id, name, email, updated_at)
      SELECT gen_random_uuid(), 'Member ' || n, 'member-' || n || '@example.test', now() FROM generate_series(1, 2000) n`)
    await pool().query(
      `INSERT INTO workspace_members (workspace_id, user_id, role)
       SELECT $1, id, 'VIEWER' FROM users WHERE email LIKE 'member-%'`,
      [workspace.id],
    )
    await pool().query(
      `INSERT INTO projects (id, workspace_id, name, updated_at)
       SELECT gen_random_uuid(), $1, 'Project ' || n, now() FROM generate_series(1, 100) n`,
      [workspace.id],
    )
    token = (await makeApiToken(user)).token
  })

  it('is rejected with a short error if it requests every member hundreds of times', async () => {
    const projects =
      'projects(first: 100) { edges { node { workspace { members { id name email role createdAt avatar } } } } }'
    const answer = await ask(token, `{ a: ${projects} b: ${projects} c: ${projects} }`)
    expect(answer).toMatchObject({ status: 400, errors: tooComplex })
    expect(answer.text.length).toBeLessThan(1_000)
  })

  it('is stopped during execution when its rows exceed the limit on the response', async () => {
    // The cost limit allows every query, so only the response limit applies.
    limits.cost = 1_000_000
    const projects =
      'projects(first: 100) { edges { node { workspace { members { id name email role createdAt avatar } } } } }'
    const answer = await ask(token, `{ a: ${projects} b: ${projects} c: ${projects} }`)
    expect(answer).toMatchObject({ status: 200, data: null, errors: tooComplex })
    expect(answer.text.length).toBeLessThan(1_000)
    expect(answer.errors[0].message).toMatch(/50000 points/)
  })

  it('returns one page of nested members, while the separate member list returns all members in pages', async () => {
    const { data } = await ask(token, `{ workspace(workspaceId: "${workspaceId}") { members { id } } }`)
    expect(data.workspace.members).toHaveLength(100)
    const seen = new Set<string>()
    for (let after: string | undefined, more = true; more; ) {
      const { data } = await api.execute(
        token,
        `query ($w: ID!, $after: String) { workspaceMembers(workspaceId: $w, first: 100, after: $after) {
          edges { node { id } } pageInfo { hasNextPage endCursor } } }`,
        { w: workspaceId, after },
      )
      for (const { node } of data.workspaceMembers.edges) seen.add(node.id)
      more = data.workspaceMembers.pageInfo.hasNextPage
      after = data.workspaceMembers.pageInfo.endCursor
    }
    expect(seen.size).toBe(2_001)
  })

  it('returns one page of nested project members, while the separate member list has further pages', async () => {
    const user = await makeUser()
    const project = await makeProject(await makeWorkspace([[user, 'ADMIN']]))
    await pool().query(
      `INSERT INTO project_members (project_id, user_id, role)
       SELECT $1, id, 'VIEWER' FROM users WHERE email LIKE 'member-%' LIMIT 150`,
      [project.id],
    )
    const { data } = await api.execute(
      (await makeApiToken(user)).token,
      `query ($id: ID!) { project(id: $id) { members { id } }
        projectMembers(projectId: $id, first: 100) { edges { node { id role } } pageInfo { hasNextPage } } }`,
      { id: project.id },
    )
    expect(data.project.members).toHaveLength(100)
    expect(data.projectMembers.edges).toHaveLength(100)
    expect(data.projectMembers.pageInfo.hasNextPage).toBe(true)
  })

  it('is stopped if long strings make its response exceed the limit', async () => {
    const user = await makeUser()
    const project = await makeProject(await makeWorkspace([[user, 'ADMIN']]), [], {
      description: 'x'.repeat(2_000),
    })
    const mine = (await makeApiToken(user)).token
    limits.answerPoints = 15
    const of = (field: string) => ask(mine, `{ project(id: "${project.id}") { ${field} } }`)
    expect((await of('name')).errors).toBeUndefined()
    expect(await of('description')).toMatchObject({ data: null, errors: tooComplex })
  })

  it('is stopped before the second mutation if the limit is reached, and the error states that changes are kept', async () => {
    const user = await makeUser()
    const project = await makeProject(await makeWorkspace([[user, 'ADMIN']]), [], { name: 'before' })
    limits.answerPoints = 3
    const update = (name: string) =>
      `projectUpdate(id: "${project.id}", input: { name: "${name}" }) { id name }`
    const answer = await ask(
      (await makeApiToken(user)).token,
      `mutation { a: ${update('first')} b: ${update('second')} }`,
    )
    expect(answer).toMatchObject({ data: null, errors: tooComplex })
    expect(answer.errors[0].message).toMatch(/are kept/)
    expect((await prisma().project.findUniqueOrThrow({ where: { id: project.id } })).name).toBe('first')
  })

  it('reads only as many projects as one response can contain', async () => {
    const user = await makeUser()
    await pool().query(
      `WITH made AS (
         INSERT INTO workspaces (id, slug, name, updated_at)
         SELECT gen_random_uuid(), 'many-' || n, 'Many ' || n, now() FROM generate_series(1, 300) n RETURNING id),
       joined AS (
         INSERT INTO workspace_members (workspace_id, user_id, role) SELECT id, $1, 'ADMIN' FROM made)
       INSERT INTO projects (id, workspace_id, name, updated_at)
       SELECT gen_random_uuid(), id, 'P' || n, now() FROM made, generate_series(1, 100) n`,
      [user.id],
    )
    const read = countRows()
    const answer = await ask(
      (await makeApiToken(user)).token,
      '{ me { workspaces { projects(first: 100) { edges { node { id name } } } } } }',
    )
    expect(answer).toMatchObject({ status: 200, data: null, errors: tooComplex })
    // The 300 workspaces are read, but only as many of their 30,000 projects as one response can contain.
    expect(Math.max(...read)).toBe(25_301)
  })
})

describe('an operation that does not end', () => {
  it('is stopped after the timeout even if the database is still waiting for a lock', async () => {
    const user = await makeUser()
    const token = (await makeApiToken(user)).token
    const blocker = await pool().connect()
    try {
      await blocker.query('BEGIN')
      await blocker.query('LOCK TABLE notifications IN ACCESS EXCLUSIVE MODE')
      limits.timeoutMs = 300
      const answer = await ask(token, '{ notificationsUnread }')
      expect(answer).toMatchObject({ status: 200, data: null, errors: tooComplex })
      expect(answer.errors[0].message).toMatch(/timed out after 0\.3 seconds/)
    } finally {
      await blocker.query('ROLLBACK')
      blocker.release()
    }
    limits.timeoutMs = graphqlLimits.timeoutMs
    expect((await ask(token, '{ notificationsUnread }')).data).toEqual({ notificationsUnread: 0 })
  })
})

describe('an unauthenticated request', () => {
  it('is rejected for thousands of fields before validation compares them in pairs', async () => {
    // Without the limit, validation would report the two fields with the same name but different arguments.
    const fields = `{ ${'me { id } '.repeat(1_240)} a: __type(name: "A") { name } a: __type(name: "B") { name } }`
    const reply = await api.execute(undefined, fields)
    expect([reply.status, reply.errors?.map(({ extensions }) => extensions.code)]).toEqual([
      400,
      ['QUERY_TOO_COMPLEX'],
    ])
  })

  it.each([
    ['in one selection set', (n: number) => 'id '.repeat(n)],
    ['in inline fragments', (n: number) => '... { id } '.repeat(n / 2)],
    ['in nested objects', (n: number) => 'workspaces { id } '.repeat(n / 2)],
  ])('is rejected for too many fields %s', async (_where, of) => {
    const code = async (n: number) =>
      (await api.execute(undefined, `{ me { ${of(n)} } }`)).errors?.[0]?.extensions.code
    expect(await code(498)).toBe('UNAUTHENTICATED')
    expect(await code(500)).toBe('QUERY_TOO_COMPLEX')
  })

  it('is rejected for too many fields in named fragments', async () => {
    const fragments = Array.from({ length: 100 }, (_, n) => `fragment f${n} on User { id name email avatar }`)
    const spread = `{ me { ${fragments.map((_, n) => `...f${n}`).join(' ')} } } ${fragments.join(' ')}`
    expect((await api.execute(undefined, spread)).errors?.[0]?.extensions.code).toBe('QUERY_TOO_COMPLEX')
  })

  it('is rejected with a Retry-After header above its limit per minute, while requests with a token are accepted', async () => {
    limits.anonymousPerMinute = 1
    const reply = await api.execute(undefined, '{ __typename }')
    expect([reply.status, reply.errors?.[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    // Requests with a token are counted separately.
    const { token } = await makeApiToken(await makeUser())
    expect((await api.execute(token, '{ __typename }')).status).toBe(200)
  })

  it('is rejected before the document is parsed if it has an invalid token', async () => {
    const reply = await api.execute('lk_pat_dead', '{ nope')
    expect(reply.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
  })

  it('can read the whole schema once per request, but not several times', async () => {
    const { getIntrospectionQuery } = await import('graphql')
    const whole = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true })
    expect((await api.execute(undefined, whole)).data.__schema.queryType.name).toBe('Query')
    const many = Array.from({ length: 6 }, (_, n) => `a${n}: __schema { types { name } }`).join(' ')
    expect((await api.execute(undefined, `{ ${many} }`)).errors?.[0]?.extensions.code).toBe(
      'QUERY_TOO_COMPLEX',
    )
  })
})
