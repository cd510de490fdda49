import { expect, it } from 'vitest'
import { noteFailure } from '@/lib/features/apps/activity/failures'
import { countUse } from '@/lib/features/figures/count-usage'
import { makeAccessToken } from '@/lib/testing/access-token'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { examples } from './reference/examples'

const api = serveGraphQL()
const ada = await makeUser()
const workspace = await makeWorkspace([[ada, 'ADMIN']])
const { token } = await makeApiToken(ada)

async function run<T>(query: string, variables: object): Promise<T> {
  const { data, errors } = await api.execute(token, query, variables)
  expect(errors).toBeUndefined()
  return data as T
}

const create = `mutation ($input: OAuthAppCreateInput!) { oauthAppCreate(input: $input) { oauthApp { id } } }`
const update = `mutation ($id: ID!, $input: OAuthAppUpdateInput!) { oauthAppUpdate(id: $id, input: $input) { id } }`

it('an app’s ID token algorithm is RS256 by default, and can be set and changed', async () => {
  const make = async (chosen: object) => {
    const input = {
      workspaceId: workspace.id,
      name: 'A',
      type: 'WEB',
      redirectUris: ['https://a.example/cb'],
    }
    const made = await run<{ oauthAppCreate: { oauthApp: { id: string } } }>(create, {
      input: { ...input, ...chosen },
    })
    return made.oauthAppCreate.oauthApp.id
  }
  const algOf = async (id: string) => {
    const query = 'query ($id: ID!) { oauthApp(id: $id) { idTokenAlg } }'
    return (await run<{ oauthApp: { idTokenAlg: string } }>(query, { id })).oauthApp.idTokenAlg
  }
  const id = await make({})
  expect(await algOf(id)).toBe('RS256')
  expect(await algOf(await make({ idTokenAlg: 'EdDSA' }))).toBe('EdDSA')
  await run(update, { id, input: { idTokenAlg: 'ES256' } })
  await run(update, { id, input: { name: 'B' } })
  expect(await algOf(id)).toBe('ES256')
})

it('the fields of an app’s profile can be set and cleared separately, but cannot contain a misleading URL', async () => {
  const { client } = await makeClient(workspace)
  const profileOf = async () =>
    (
      await run<{ oauthApp: { profile: object } }>(
        'query ($id: ID!) { oauthApp(id: $id) { profile { description website support privacyUrl termsUrl } } }',
        { id: client.id },
      )
    ).oauthApp.profile
  const said = {
    description: 'Ships your projects.',
    website: 'https://deployer.example',
    support: 'https://deployer.example/help',
    privacyUrl: 'https://deployer.example/privacy',
    termsUrl: 'https://deployer.example/terms',
  }
  await run(update, { id: client.id, input: { profile: said } })
  expect(await profileOf()).toEqual(said)
  await run(update, { id: client.id, input: { name: 'Shipper', profile: { website: '' } } })
  expect(await profileOf()).toEqual({ ...said, website: null })
  const input = { profile: { website: 'https://bank.example@evil.example' } }
  const { errors } = await api.execute(token, update, { id: client.id, input })
  expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT')
})

it('a list of apps contains each app’s own usage and up to 20 failures, with a constant number of statements', async () => {
  const place = await makeWorkspace([[ada, 'ADMIN']])
  const query = `query ($w: ID!) { workspace(workspaceId: $w) { oauthApps { nodes {
    id usage { day requests errors } failures { endpoint error description reason } } } } }`
  type Answer = {
    workspace: { oauthApps: { nodes: { id: string; usage: { requests: number }[]; failures: object[] }[] } }
  }
  const read = async () => (await run<Answer>(query, { w: place.id })).workspace.oauthApps.nodes
  const { client } = await makeClient(place)
  await read()
  const ofOne = (await countStatements(read)).statements.length
  for (let i = 0; i < 4; i++) await makeClient(place)

  const refused = { endpoint: 'token', error: 'invalid_grant', description: 'refused', reason: 'expired' }
  for (let i = 0; i < 25; i++) noteFailure({ clientId: client.id, ...refused })
  countUse(client.id, 'requests')
  const nodes = await read()
  const [app, other] = [nodes.find(({ id }) => id === client.id), nodes.find(({ id }) => id !== client.id)]
  expect(app?.failures).toEqual(Array.from({ length: 20 }, () => refused))
  expect([app?.usage.length, app?.usage.reduce((sum, { requests }) => sum + requests, 0)]).toEqual([30, 1])
  expect([other?.failures, other?.usage.reduce((sum, { requests }) => sum + requests, 0)]).toEqual([[], 0])
  expect((await countStatements(read)).statements).toHaveLength(ofOne)
})

it.each([
  ['a member', 'MEMBER', 'FORBIDDEN'],
  ['an app with workspace:member', 'ADMIN', 'INSUFFICIENT_SCOPE'],
] as const)('the usage of an app is not visible to %s', async (who, role, code) => {
  const user = await makeUser()
  const place = await makeWorkspace([[user, role]])
  const { client } = await makeClient(place)
  const asked =
    who === 'a member'
      ? await makeApiToken(user)
      : await makeAccessToken(user, ['openid', 'workspace:member'], { workspaces: [place] })
  const query = 'query ($id: ID!) { oauthApp(id: $id) { usage { day } failures { id } } }'
  const { data, errors } = await api.execute(asked.token, query, { id: client.id })
  expect([data.oauthApp, errors?.[0]?.extensions.code]).toEqual([null, code])
})

it.each([
  ['', '{ logo other: logoDark }'],
  [', theme: LIGHT', '{ logo other: logoDark }'],
  [', theme: DARK', '{ logo: logoDark other: logo }'],
])(
  'oauthAppLogoUpdate(id, picture%s) sets an app logo that can be deleted, and rejects data that is not an image',
  async (theme, fields) => {
    const { client } = await makeClient(workspace)
    const change = `mutation ($id: ID!, $picture: String!) { oauthAppLogoUpdate(id: $id, picture: $picture${theme}) ${fields} }`
    const [, picture = ''] = /picture: "([^"]+)"/.exec(examples.oauthAppLogoUpdate ?? '') ?? []
    type Logos = { logo: string | null; other: string | null }
    const { oauthAppLogoUpdate: changed } = await run<{ oauthAppLogoUpdate: Logos }>(change, {
      id: client.id,
      picture,
    })
    expect(changed).toEqual({ logo: expect.stringMatching(/\/pictures\/[0-9a-f-]{36}\.webp$/), other: null })
    const wrong = await api.execute(token, change, { id: client.id, picture: 'bm8gcGljdHVyZQ==' })
    expect(wrong.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'picture' })
    await run(`mutation ($id: ID!) { oauthAppLogoDelete(id: $id${theme}) }`, { id: client.id })
    const { oauthApp } = await run<{ oauthApp: Logos }>(`query ($id: ID!) { oauthApp(id: $id) ${fields} }`, {
      id: client.id,
    })
    expect(oauthApp).toEqual({ logo: null, other: null })
  },
)
