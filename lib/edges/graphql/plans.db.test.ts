import { expect, inject, it } from 'vitest'
import { statement } from '@/lib/base/db/statements'
import { signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, cli } = await startOAuthWorld()

type Plans = { name: string; once: number; replanned: number }

const plans = statement<Plans, []>(
  'plans-of-this-connection',
  `SELECT name, generic_plans::int AS once, custom_plans::int AS replanned FROM pg_prepared_statements
    WHERE name <> 'plans-of-this-connection'`,
  { connections: 'shared' },
)

/**
 * PostgreSQL creates a new plan for each of the first five runs of a prepared statement. After that, it keeps
 * one generic plan, unless that plan would cost more than a new plan for each run. For these reads, creating
 * a plan costs more than the read. Citus always creates a new plan, because the location of a row depends on
 * the values.
 */
it.skipIf(inject('workerUrls').length > 0)(
  'PostgreSQL plans the reads of an API request once, not for each request',
  async () => {
    const asked = { scope: 'openid email workspace:viewer', prompt: 'consent' }
    const { body } = await signInToApp(owner.browser, cli, asked, { workspaces: [owner.workspace.id] })
    for (let i = 0; i < 30; i++) {
      const answer = await server.fetch('/graphql/v2', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${body.access_token}` },
        body: JSON.stringify({ query: '{ me { id email workspaces { id name } } }' }),
      })
      expect(await answer.json()).toMatchObject({
        data: { me: { workspaces: [{ id: owner.workspace.id }] } },
      })
    }
    // Like API requests, these statements are distributed over the shared connections.
    const seen = (await Promise.all(Array.from({ length: 4 }, () => plans()))).flat()
    const ofRequests = seen.filter(({ name }) => ['bearer-access-token', 'list-workspaces'].includes(name))
    expect(new Set(ofRequests.map(({ name }) => name)).size).toBe(2)
    for (const { replanned } of ofRequests) expect(replanned).toBeLessThanOrEqual(5)
  },
)
