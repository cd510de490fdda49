import { expect, it } from 'vitest'
import { makeApiToken, makePerson, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const api = serveGraphQL()
const ada = await makePerson()
const workspace = await makeWorkspace([[ada, 'ADMIN']])
const { token } = await makeApiToken(ada)

async function run<T>(query: string, variables: object): Promise<T> {
  const { data, errors } = await api.execute(token, query, variables)
  expect(errors).toBeUndefined()
  return data as T
}

const create = `mutation ($input: OAuthAppCreateInput!) { oauthAppCreate(input: $input) { oauthApp { id } } }`
const update = `mutation ($id: ID!, $input: OAuthAppUpdateInput!) { oauthAppUpdate(id: $id, input: $input) { id } }`

it('an app’s id_tokens are signed with what it chose, RS256 unless it did', async () => {
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
