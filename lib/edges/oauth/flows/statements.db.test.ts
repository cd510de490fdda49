import { createHook } from 'node:async_hooks'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { requestId } from '@/lib/base/log/request-scope'
import { registeredApis } from '@/lib/features/resources/apis'
import { countStatements } from '@/lib/testing/count-statements'
import { makeProject } from '@/lib/testing/factories'
import { openConsent } from '@/lib/testing/oauth-consent'
import {
  authorize,
  codeGrant,
  newPkce,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, web, cli } = await startOAuthWorld()

describe('a request', () => {
  /**
   * Counts the statements of each operation in `npm run bench`, and how often the operation waits for a
   * commit to disk. Unlike times, counts reveal every increase.
   */

  /** The same query as in the benchmark. */
  const projectsQuery = `query ($workspaceId: ID!) { projects(workspaceId: $workspaceId, first: 50) {
  edges { node { id name members { id name role } } } pageInfo { hasNextPage endCursor } } }`

  const asked = {
    scope: 'openid offline_access email workspace:viewer',
    prompt: 'consent',
  }

  beforeAll(async () => {
    // A server reads the registered APIs when it starts.
    await registeredApis()
    // A second project reveals queries that run once per project.
    await makeProject(owner.workspace, [[owner.user, 'MEMBER']])
    // A process reads a client once, and again after a change, such as its first authorization.
    for (const app of [web, cli]) for (let i = 0; i < 2; i++) await signIn(app)
  })

  const selection = () => ({ workspaces: [owner.workspace.id] })
  const signIn = async (app: TestApp) => (await signInToApp(owner.browser, app, asked, selection())).body

  const post = (path: string, fields: Record<string, string>) =>
    server.fetch(path, { method: 'POST', body: new URLSearchParams(fields) }).then((answer) => answer.json())

  const asWeb = () => ({ client_id: web.clientId, client_secret: String(web.secret) })

  const graphql = (token: string, query: string, variables = {}) =>
    server
      .fetch('/graphql/v2', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query, variables }),
      })
      .then((answer) => answer.json())

  /** Prepares each operation. @returns the operation, and a part of its response on success */
  const operations: Record<string, () => Promise<[() => Promise<unknown>, object]>> = {
    metadata: async () => [
      () => server.fetch('/oauth/.well-known/openid-configuration').then((answer) => answer.json()),
      { issuer: expect.any(String) },
    ],
    'key set': async () => [
      () => server.fetch('/oauth/jwks').then((answer) => answer.json()),
      { keys: expect.any(Array) },
    ],
    code: async () => {
      const { verifier, pkce } = newPkce()
      const code = String(
        (await authorize(owner.browser, cli, { ...asked, ...pkce }, selection())).get('code'),
      )
      const fields = codeGrant(cli, code)
      return [() => requestToken(cli, { ...fields, code_verifier: verifier }), { status: 200 }]
    },
    'refresh, rotating': async () => {
      const token = String((await signIn(cli)).refresh_token)
      return [() => refresh(cli, token), { status: 200 }]
    },
    'refresh with a secret': async () => {
      const token = String((await signIn(web)).refresh_token)
      return [() => refresh(web, token), { status: 200 }]
    },
    'refresh, repeated': async () => {
      const token = String((await signIn(cli)).refresh_token)
      await refresh(cli, token)
      return [() => refresh(cli, token), { status: 200 }]
    },
    'device code, pending': async () => {
      const { device_code } = (await post('/oauth/device/auth', {
        client_id: cli.clientId,
        scope: 'openid',
      })) as Record<string, string>
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      return [
        () => requestToken(cli, { grant_type, device_code: String(device_code) }),
        { body: { error: 'authorization_pending' } },
      ]
    },
    userinfo: async () => {
      const authorization = `Bearer ${(await signIn(cli)).access_token}`
      const ask = () =>
        server.fetch('/oauth/me', { headers: { authorization } }).then((answer) => answer.json())
      return [ask, { sub: owner.user.id }]
    },
    introspection: async () => {
      const token = String((await signIn(web)).access_token)
      return [() => post('/oauth/token/introspection', { token, ...asWeb() }), { active: true }]
    },
    'GraphQL me': async () => {
      const token = String((await signIn(cli)).access_token)
      return [() => graphql(token, '{ me { id email } }'), { data: { me: { id: owner.user.id } } }]
    },
    'GraphQL me with workspaces': async () => {
      const token = String((await signIn(cli)).access_token)
      const query = '{ me { id email workspaces { id name } } }'
      return [() => graphql(token, query), { data: { me: { workspaces: [{ id: owner.workspace.id }] } } }]
    },
    'GraphQL projects with members': async () => {
      const token = String((await signIn(cli)).access_token)
      return [
        () => graphql(token, projectsQuery, { workspaceId: owner.workspace.id }),
        { data: { projects: { edges: [{ node: { members: expect.any(Array) } }, { node: {} }] } } },
      ]
    },
    'consent sent': async () => {
      await prisma().authorization.deleteMany({ where: { clientId: cli.clientId } })
      const { pkce } = newPkce()
      const page = await openConsent(owner.browser, cli, { ...asked, ...pkce })
      const form = new URLSearchParams({ decision: 'authorize', workspace: owner.workspace.id })
      const headers = { origin: config().BASE_URL }
      const path = `${page}/decision`
      return [() => owner.browser.request(path, { method: 'POST', headers, body: form }), { status: 303 }]
    },
    'a token that this server did not issue': async () => [
      () => graphql('lk_at_mistyped', '{ me { id } }'),
      { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    ],
  }

  /**
   * The statements that read the request, check the session again, store the consent with its notifications
   * and activity, and store the result for oidc-provider.
   */
  const consentSent = [
    ...['read', 'read', 'read', 'read'],
    ...['BEGIN', 'write', 'read', 'read', 'read', 'read', 'read', 'write'],
    ...['write', 'read', 'read', 'write', 'read', 'write', 'write', 'COMMIT'],
    'write',
  ]

  /** Used tokens are stored in separate tables and are looked up there, except with Citus (ADR 0005). */
  const repeated = inject('workerUrls').length > 0 ? ['read'] : ['read', 'read']

  it.each([
    ['metadata', [], 0],
    ['key set', [], 0],
    ['code', ['read', 'write'], 1],
    ['refresh, rotating', ['read', 'write'], 1],
    ['refresh with a secret', ['read', 'write'], 1],
    ['refresh, repeated', repeated, 0],
    ['device code, pending', ['read'], 0],
    ['userinfo', ['read'], 0],
    ['introspection', ['read'], 0],
    ['GraphQL me', ['read'], 0],
    ['GraphQL me with workspaces', ['read', 'read'], 0],
    ['GraphQL projects with members', ['read', 'read', 'read'], 0],
    ['consent sent', consentSent, 2],
    ['a token that this server did not issue', [], 0],
  ])(
    'for the operation “%s” runs the statements %j and waits for %i commits',
    async (name, expected, commits) => {
      const [run, answer] = await (operations[name] as () => Promise<[() => Promise<unknown>, object]>)()
      const { value, statements } = await countStatements(run)
      expect(value).toMatchObject(answer)
      expect(statements.map(kindOf)).toEqual(expected)
      expect(countCommits(statements)).toBe(commits)
    },
  )

  /**
   * Limits the promises that each operation creates, because Node 20 runs a hook for each one. oidc-provider
   * creates most of the promises of a token request.
   */
  it.each([
    ['code', 195],
    ['refresh, rotating', 185],
    ['userinfo', 22],
    ['introspection', 22],
    ['GraphQL me with workspaces', 50],
  ])('for the operation “%s” creates at most %i promises', async (name, most) => {
    const [run, answer] = await (operations[name] as () => Promise<[() => Promise<unknown>, object]>)()
    let promises = 0
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'PROMISE' && requestId() !== undefined) promises++
      },
    }).enable()
    const value = await run().finally(() => hook.disable())
    expect(value).toMatchObject(answer)
    expect(promises).toBeGreaterThan(0)
    expect(promises).toBeLessThanOrEqual(most)
  })

  /**
   * Counts a statement that locks rows as a write, because its commit must reach the disk too. BEGIN and
   * COMMIT do not count.
   */
  function kindOf(text: string): string {
    if (/\b(INSERT|UPDATE|DELETE|commit_token_request)\b/i.test(text)) return 'write'
    return /^\s*(SELECT|WITH)\b/i.test(text) ? 'read' : text
  }

  /** Counts commits: one per transaction, and one per write outside of a transaction. */
  function countCommits(texts: string[]): number {
    let within = false
    let commits = 0
    for (const text of texts) {
      if (/^\s*(BEGIN|START)\b/i.test(text)) within = true
      else if (/^\s*ROLLBACK\b/i.test(text)) within = false
      else if (/^\s*COMMIT\b/i.test(text) || (!within && kindOf(text) === 'write')) {
        within = false
        commits++
      }
    }
    return commits
  }
})

describe('connections reserved for token requests', () => {
  /** Occupies every connection for pages and sign-ins while some work runs. */
  async function withoutConnections<T>(work: () => Promise<T>): Promise<T> {
    const taken = await Promise.all(Array.from({ length: pool().options.max }, () => pool().connect()))
    try {
      return await work()
    } finally {
      for (const client of taken) client.release()
    }
  }

  it('serve token requests while pages and sign-ins use all other connections', async () => {
    const { body } = await signInToApp(owner.browser, cli, offline)
    const code = (await authorize(owner.browser, web)).get('code') as string
    await withoutConnections(async () => {
      const renewed = await refresh(cli, body.refresh_token as string)
      expect(renewed.status).toBe(200)
      expect((await userinfo(renewed.body.access_token as string)).status).toBe(200)
      const fields = codeGrant(web, code)
      expect((await requestToken(web, fields)).status).toBe(200)
    })
  })
})
