import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { graphqlLimits } from '@/lib/base/config/limits'
import { pool } from '@/lib/base/db/pool'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Failed fields count as part of the response and take more space than values. */
// Use a lower points limit, because thousands of errors would take minutes. The timeout is long enough never
// to apply.
const api = serveGraphQL({ ...graphqlLimits, answerPoints: 20_000, timeoutMs: 600_000 })

describe('a small query whose response contains many errors', () => {
  let token = ''
  let workspaceId = ''

  beforeAll(async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    workspaceId = workspace.id
    await pool().query(
      `WITH made AS (
         INSERT INTO users (id, name, email, updated_at)
         SELECT gen_random_uuid(), 'Member ' || n, 'refused-' || n || '@example.test', now() FROM generate_series(1, 2000) n
         RETURNING id),
       joined AS (
         INSERT INTO workspace_members (workspace_id, user_id, role) SELECT $1, id, 'VIEWER' FROM made)
       INSERT INTO projects (id, workspace_id, name, updated_at)
       SELECT gen_random_uuid(), $1, 'Project ' || n, now() FROM generate_series(1, 15) n`,
      [workspace.id],
    )
    const shared = { workspaces: [workspace] }
    token = (await makeAccessToken(user, ['openid', 'workspace:viewer'], shared)).token
  })

  /** Returns a response as text, to measure its size. */
  const ask = async (query: string, as = token) => {
    const response = await fetch(api.url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
      body: JSON.stringify({ query }),
    })
    const text = await response.text()
    return { status: response.status, size: text.length, ...JSON.parse(text) }
  }

  const inProjects = (fields: string) =>
    `{ projects(first: 15) { edges { node { workspace { members { ${fields} } } } } } }`
  const aliased = (field: string) => Array.from({ length: 29 }, (_, n) => `a${n}: ${field}`).join(' ')
  const refused = {
    status: 200,
    data: null,
    errors: [{ message: expect.stringMatching(/20000 points/), extensions: { code: 'QUERY_TOO_COMPLEX' } }],
  }

  it('is stopped with a single error when its errors exceed the limit', async () => {
    const answer = await ask(inProjects(aliased('email')))
    expect(answer).toMatchObject(refused)
    expect(answer.errors).toHaveLength(1)
    expect(answer.size).toBeLessThan(1_000)
  })

  it('is stopped if each error lists thirty locations of the field', async () => {
    const answer = await ask(inProjects('email '.repeat(30)))
    expect(answer).toMatchObject(refused)
    expect(answer.size).toBeLessThan(1_000)
  })

  it('is stopped if many aliases request a long list of projects that do not exist', async () => {
    const projects = Array.from({ length: 200 }, () => ({ id: randomUUID() }))
    const lost = (await makeAccessToken(await makeUser(), ['openid', 'project:viewer'], { projects })).token
    const answer = await ask(`{ currentToken { authorization { ${aliased('projects { id }')} } } }`, lost)
    expect(answer).toMatchObject(refused)
    expect(answer.size).toBeLessThan(1_000)
  })

  it('is rejected if an alias is longer than 100 characters', async () => {
    const named = (length: number) => ask(inProjects(`${'k'.repeat(length)}: id`))
    expect((await named(100)).status).toBe(200)
    expect(await named(101)).toMatchObject({
      status: 400,
      errors: [
        { message: expect.stringMatching(/longer than 100/), extensions: { code: 'QUERY_TOO_COMPLEX' } },
      ],
    })
  })

  it('returns the rows and an error for each forbidden field if the response is small enough', async () => {
    const { status, data, errors } = await ask(
      `{ workspace(workspaceId: "${workspaceId}") { members { id name email } } }`,
    )
    expect(status).toBe(200)
    expect(data.workspace.members).toHaveLength(100)
    expect(data.workspace.members[0]).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      email: null,
    })
    expect(errors).toHaveLength(100)
    expect(errors[0]).toMatchObject({
      path: ['workspace', 'members', 0, 'email'],
      extensions: { requiredScope: 'workspace:admin' },
    })
  })
})
