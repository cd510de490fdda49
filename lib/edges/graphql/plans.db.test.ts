import { expect, inject, it } from 'vitest'
import { statement } from '@/lib/base/db/statements'
import { signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, cli } = await startOAuthWorld()

type Plans = { name: string; once: number; anew: number }

const plans = statement<Plans, []>(
  'plans-of-this-connection',
  `SELECT name, generic_plans::int AS once, custom_plans::int AS anew FROM pg_prepared_statements
    WHERE name <> 'plans-of-this-connection'`,
  { connections: 'shared' },
)

/**
 * PostgreSQL plans a prepared statement for the values of its first five runs. From then on it keeps one plan for all, unless
 * that looks dearer by more than planning takes; then it plans anew for each request, which costs more than these reads do.
 * Citus has no such choice: where a row lies is in the values.
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
    // Requests take turns on the connections that are shared, and so do these.
    const seen = (await Promise.all(Array.from({ length: 4 }, () => plans()))).flat()
    const ofRequests = seen.filter(({ name }) => ['bearer-access-token', 'list-workspaces'].includes(name))
    expect(new Set(ofRequests.map(({ name }) => name)).size).toBe(2)
    for (const { anew } of ofRequests) expect(anew).toBeLessThanOrEqual(5)
  },
)
