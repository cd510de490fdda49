import { afterEach, describe, expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { maxTokens } from '@/lib/features/api-tokens/create-api-token'
import { counts, writeCounts } from '@/lib/features/figures/count-usage'
import { maxProjects } from '@/lib/features/projects/create-project'
import { maxEnvironments } from '@/lib/features/projects/environments'
import { maxWorkspaces } from '@/lib/features/workspaces/create-workspace'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Limits that cannot be exceeded by creating more records. */
const api = serveGraphQL()

const code = async (token: string, query: string, variables?: object) =>
  (await api.execute(token, query, variables)).errors?.[0]?.extensions.code ?? 'ok'

describe('the limit on requests', () => {
  afterEach(() => {
    delete process.env.RATE_LIMIT_PER_HOUR
    resetConfig()
  })

  it('does not grow with the number of tokens', async () => {
    process.env.RATE_LIMIT_PER_HOUR = '2'
    resetConfig()
    const user = await makeUser()
    const answers = []
    for (let made = 0; made < 6; made++) {
      const { token } = await makeApiToken(user)
      answers.push(await code(token, '{ me { id } }'), await code(token, '{ me { id } }'))
    }
    // The user's limit is five times the limit of one token. More tokens do not raise it.
    expect(answers).toEqual([...Array(10).fill('ok'), 'RATE_LIMITED', 'RATE_LIMITED'])
    const { token } = await makeApiToken(user)
    const refused = await api.execute(token, '{ me { id } }')
    expect(refused.errors?.[0]?.message).toBe(
      'Your tokens together have reached the limit of 10 requests per hour. Try again later.',
    )
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    // The limit also applies in a process that did not count the requests.
    await writeCounts.now()
    counts().clear()
    await code(token, '{ me { id } }')
    await writeCounts.now()
    expect(await code(token, '{ me { id } }')).toBe('RATE_LIMITED')
    // An app has its own limit per user, and other users have their own limits.
    expect(await code((await makeAccessToken(user, ['openid'])).token, '{ me { id } }')).toBe('ok')
    expect(await code((await makeApiToken(await makeUser())).token, '{ me { id } }')).toBe('ok')
  })
})

describe('the limit on the number of records', () => {
  it('applies to each user’s active tokens, and revoking a token allows a new one', async () => {
    const user = await makeUser()
    const { token } = await makeApiToken(user)
    await pool().query(
      `INSERT INTO api_tokens (id, kind, name, hash, last_four, user_id, expires_at)
       -- These IDs sort before every generated ID, so that the last token in the list is the one created last.
       SELECT lpad(to_hex(n), 32, '0')::uuid, 'ACCOUNT', 'T' || n, decode(md5(random()::text), 'hex'), 'abcd', $1,
              CASE WHEN n > $2 THEN now() - interval '1 day' END
         FROM generate_series(1, $2 + 50) n`,
      [user.id, maxTokens - 2],
    )
    const create = 'mutation { apiTokenCreate(input: { name: "one more" }) }'
    expect(await code(token, create)).toBe('ok')
    const refused = await api.execute(token, create)
    expect(refused.errors?.[0]).toMatchObject({
      message: 'You can have up to 100 tokens. Revoke one first.',
      extensions: { code: 'CONFLICT' },
    })
    const { data } = await api.execute(token, '{ apiTokens(last: 1) { edges { node { id } } } }')
    const revoke = 'mutation ($id: ID!) { apiTokenDelete(id: $id) }'
    expect(await code(token, revoke, { id: data.apiTokens.edges[0].node.id })).toBe('ok')
    // Two parallel requests each try to create the last token that the limit allows.
    const both = await Promise.all([code(token, create), code(token, create)])
    expect(both.sort()).toEqual(['CONFLICT', 'ok'])
  })

  it('applies to workspaces that a user administers', async () => {
    const user = await makeUser()
    await pool().query(
      `WITH made AS (INSERT INTO workspaces (id, slug, name, updated_at)
         SELECT gen_random_uuid(), 'full-' || n, 'Full', now() FROM generate_series(1, $2) n RETURNING id)
       INSERT INTO workspace_members (workspace_id, user_id, role) SELECT id, $1, 'ADMIN' FROM made`,
      [user.id, maxWorkspaces - 1],
    )
    const { token } = await makeApiToken(user)
    const create = 'mutation { workspaceCreate(input: { name: "One more" }) { id } }'
    expect([await code(token, create), await code(token, create)]).toEqual(['ok', 'CONFLICT'])
  })

  it('applies to projects per workspace and environments per project', async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const project = await makeProject(workspace)
    await pool().query(
      `INSERT INTO projects (id, workspace_id, name, updated_at)
       SELECT gen_random_uuid(), $1, 'P', now() FROM generate_series(1, $2) n`,
      [workspace.id, maxProjects - 2],
    )
    await pool().query(
      `INSERT INTO environments (id, project_id, name, updated_at)
       SELECT gen_random_uuid(), $1, 'E' || n, now() FROM generate_series(1, $2) n`,
      [project.id, maxEnvironments - 1],
    )
    const { token } = await makeApiToken(user)
    const createProject = `mutation ($id: ID!) { projectCreate(input: { workspaceId: $id, name: "more" }) { id } }`
    const createEnvironment = `mutation ($id: ID!, $n: String!) {
      environmentCreate(input: { projectId: $id, name: $n }) { id } }`
    const inWorkspace = () => code(token, createProject, { id: workspace.id })
    expect([await inWorkspace(), await inWorkspace()]).toEqual(['ok', 'CONFLICT'])
    const inProject = (n: string) => code(token, createEnvironment, { id: project.id, n })
    expect([await inProject('one'), await inProject('two')]).toEqual(['ok', 'CONFLICT'])
  })
})
