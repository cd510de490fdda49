import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { explorerToken } from '@/lib/features/api-tokens/explorer-token'
import { makeAccessToken } from '@/lib/testing/access-token'
import { whileUncommitted } from '@/lib/testing/concurrency'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Credentials that API tokens create, which never outlive the token or have more rights. */
const api = serveGraphQL()

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day)

let user: { id: string }
let workspace: { id: string }
let project: { id: string }
let clientId: string

beforeEach(async () => {
  user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
  project = await makeProject(workspace)
  clientId = (await makeClient(workspace)).client.id
})

type Input = { expiresAt?: string; role?: string }
type Created = { expiresAt: string | null; code?: string; field?: string; secret?: string }

/** All ways to create a credential in the API. */
const kinds: Record<string, (token: string, input: Input) => Promise<Created>> = {
  'an account token': (token, input) =>
    run(
      token,
      `mutation ($input: ApiTokenCreateInput!) { made: apiTokenCreateWithDetails(input: $input) { secret record: apiToken { expiresAt } } }`,
      { input: { name: 'Next', ...input } },
    ),
  'a workspace token': (token, input) =>
    run(
      token,
      `mutation ($input: ApiTokenCreateInput!) { made: apiTokenCreateWithDetails(input: $input) { secret record: apiToken { expiresAt } } }`,
      { input: { name: 'Next', workspaceId: workspace.id, ...input } },
    ),
  'a project token': (token, input) =>
    run(
      token,
      `mutation ($input: ProjectTokenCreateInput!) { made: projectTokenCreate(input: $input) { secret record: projectToken { expiresAt } } }`,
      { input: { name: 'Next', projectId: project.id, ...input } },
    ),
  'a client secret': (token, { expiresAt }) =>
    run(
      token,
      `mutation ($id: ID!, $input: OAuthAppSecretCreateInput) {
         made: oauthAppSecretCreate(id: $id, input: $input) { secret record: oauthAppSecret { expiresAt } } }`,
      { id: clientId, input: { expiresAt } },
    ),
}

async function run(token: string, query: string, variables: object): Promise<Created> {
  const { data, errors } = await api.execute(token, query, variables)
  const { code, field } = errors?.[0]?.extensions ?? {}
  return { expiresAt: null, ...data?.made?.record, secret: data?.made?.secret, code, field }
}

describe.each(Object.entries(kinds))('%s that a token creates', (kind, create) => {
  const expiresAt = inDays(30)

  it('expires with the creating token, unless an earlier expiry is given', async () => {
    const { token } = await makeApiToken(user, { expiresAt })
    expect((await create(token, {})).expiresAt).toBe(expiresAt.toISOString())
    const earlier = inDays(2).toISOString()
    expect((await create(token, { expiresAt: earlier })).expiresAt).toBe(earlier)
  })

  it('is rejected if it would outlive the creating token, with an error that names the expiresAt argument', async () => {
    const { token } = await makeApiToken(user, { expiresAt })
    const refused = await create(token, { expiresAt: new Date(expiresAt.getTime() + 1).toISOString() })
    expect(refused).toMatchObject({ code: 'BAD_USER_INPUT', field: 'expiresAt', secret: undefined })
  })

  it('can expire years later, or not at all, if the creating token does not expire', async () => {
    const { token } = await makeApiToken(user)
    expect(await create(token, {})).toMatchObject({ expiresAt: null, secret: expect.any(String) })
    const later = inDays(4000).toISOString()
    expect((await create(token, { expiresAt: later })).expiresAt).toBe(later)
  })

  it('can outlive the short-lived explorer token as long as the user’s session is active', async () => {
    const session = await prisma().session.create({
      data: { userId: user.id, methods: ['pwd'], expiresAt: inDays(1) },
    })
    const actor = {
      kind: 'session',
      userId: user.id,
      sessionId: session.id,
      instanceAdmin: false,
    } as const
    const token = await explorerToken(actor)
    expect(await create(token, {})).toMatchObject({ expiresAt: null, secret: expect.any(String) })
    await prisma().session.deleteMany({ where: { id: session.id } })
    expect((await create(token, {})).expiresAt).not.toBeNull()
  })

  it('requires a creating token that is not limited to a lower role or to a project', async () => {
    for (const fields of [{ role: 'MEMBER' }, { role: 'VIEWER' }, { project }] as const) {
      const { token } = await makeApiToken(user, { ...fields, expiresAt })
      const { code, secret } = await create(token, {})
      expect([secret, ['FORBIDDEN', 'RESOURCE_NOT_SHARED'].includes(code ?? '')]).toEqual([undefined, true])
    }
  })

  it('is not created if the creating token is revoked at the same time', async () => {
    const { token, row } = await makeApiToken(user)
    const outcome = await whileUncommitted([['DELETE FROM api_tokens WHERE id = $1', [row.id]]], async () => {
      const { code } = await create(token, {})
      if (code) throw Object.assign(new Error(), { code })
    })
    expect(outcome).toBe('UNAUTHENTICATED')
  })

  it.runIf(kind === 'a client secret')('expires with the workspace token that creates it', async () => {
    const { token } = await makeApiToken(user, { workspace, role: 'ADMIN', expiresAt })
    expect((await create(token, {})).expiresAt).toBe(expiresAt.toISOString())
  })

  it.runIf(kind !== 'a client secret')(
    'cannot be created by a workspace token or by an app with admin scopes',
    async () => {
      const { token } = await makeApiToken(user, { workspace, role: 'ADMIN' })
      expect((await create(token, {})).code).toBe('FORBIDDEN')
      const app = await makeAccessToken(user, ['openid', 'workspace:admin', 'project:admin'], {
        workspaces: [workspace],
        projects: [project],
      })
      expect((await create(app.token, {})).code).toBe('FORBIDDEN')
    },
  )
})

it('the first secret of an app expires with the token that creates the app', async () => {
  const expiresAt = inDays(30)
  const { token } = await makeApiToken(user, { expiresAt })
  const { data } = await api.execute(
    token,
    `mutation ($input: OAuthAppCreateInput!) { oauthAppCreate(input: $input) { oauthApp { secrets { expiresAt } } } }`,
    {
      input: {
        workspaceId: workspace.id,
        name: 'App',
        type: 'WEB',
        redirectUris: ['https://app.example/callback'],
      },
    },
  )
  expect(data.oauthAppCreate.oauthApp.secrets).toEqual([{ expiresAt: expiresAt.toISOString() }])
})

it('all tokens in a chain, each created by the previous one, expire with the first', async () => {
  const expiresAt = inDays(30)
  let { token } = await makeApiToken(user, { expiresAt })
  for (let depth = 0; depth < 3; depth += 1) {
    const next = await kinds['an account token']?.(token, {})
    expect(next?.expiresAt).toBe(expiresAt.toISOString())
    token = next?.secret as string
  }
})
