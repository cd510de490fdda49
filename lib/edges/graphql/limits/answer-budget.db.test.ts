import { expect, it } from 'vitest'
import { graphqlLimits } from '@/lib/base/config/limits'
import { pool } from '@/lib/base/db/pool'
import { makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const limits = { ...graphqlLimits }
const api = serveGraphQL(limits)

it('each __typename counts toward the limit on the response, even under an alias or in a fragment', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  await pool().query(
    `INSERT INTO projects (id, workspace_id, name, updated_at)
     SELECT gen_random_uuid(), $1, 'Project ' || n, now() FROM generate_series(1, 100) n`,
    [workspace.id],
  )
  const { token } = await makeApiToken(user)
  const names = (letter: string) =>
    Array.from({ length: 14 }, (_, i) => `${letter}${i}: __typename`).join(' ')
  const query = `{ projects(first: 100) { nodes { ${names('a')} ...more } } }
    fragment more on Project { ... on Project { ${names('b')} } }`
  limits.answerPoints = 3_200
  expect((await api.execute(token, query)).errors).toBeUndefined()
  limits.answerPoints = 2_900
  const { status, data, errors } = await api.execute(token, query)
  expect([status, data, errors?.[0]?.extensions.code]).toEqual([200, null, 'QUERY_TOO_COMPLEX'])
})
