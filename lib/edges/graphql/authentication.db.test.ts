import { buildClientSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/**
 * The accepted credentials, the errors for other credentials, and the operations that require no credential.
 */
const api = serveGraphQL()
let token = ''

beforeAll(async () => {
  token = (await makeApiToken(await makeUser())).token
})

describe('authentication', () => {
  const metadata = () =>
    `Bearer resource_metadata="${config().BASE_URL}/.well-known/oauth-protected-resource/graphql/v2"`

  it('fails without a token, and the WWW-Authenticate header contains the URL of the resource metadata', async () => {
    const reply = await api.execute(undefined, '{ me { id } }')
    expect([reply.status, reply.errors?.[0]?.extensions.code]).toEqual([200, 'UNAUTHENTICATED'])
    expect(reply.headers.get('www-authenticate')?.split(', ')[0]).toBe(metadata())
  })

  it.each([
    ['a malformed token', async () => 'garbage'],
    ['an empty token', async () => ''],
    ['a well-formed but unknown token', async () => `${token.slice(0, -8)}00000000`],
    [
      'an expired API token',
      async () => (await makeApiToken(await makeUser(), { expiresAt: new Date(0) })).token,
    ],
    [
      'a token of a suspended user',
      async () => (await makeApiToken(await makeUser({ suspendedAt: new Date() }))).token,
    ],
    [
      'an expired access token',
      async () => (await makeAccessToken(await makeUser(), ['openid'], { expiresAt: new Date(0) })).token,
    ],
    [
      'an access token bound to a key',
      async () => (await makeAccessToken(await makeUser(), ['openid'], { boundTo: 'k' })).token,
    ],
    [
      'an access token for another resource',
      async () =>
        (await makeAccessToken(await makeUser(), ['openid'], { audience: 'https://elsewhere.example' }))
          .token,
    ],
    [
      'a token of a disabled app',
      async () => {
        const made = await makeAccessToken(await makeUser(), ['openid'])
        await prisma().oAuthClient.update({ where: { id: made.client.id }, data: { disabledAt: new Date() } })
        return made.token
      },
    ],
    [
      'a token of a revoked authorization',
      async () => {
        const made = await makeAccessToken(await makeUser(), ['openid'])
        await prisma().authorization.delete({ where: { id: made.authorization.id } })
        return made.token
      },
    ],
  ])('fails with %s', async (_title, dead) => {
    const reply = await api.execute(await dead(), '{ me { id } }')
    expect([reply.status, reply.data, reply.errors?.[0]?.extensions.code]).toEqual([
      200,
      undefined,
      'UNAUTHENTICATED',
    ])
    expect(reply.headers.get('www-authenticate')).toContain(`${metadata()}, error="invalid_token"`)
  })

  it('succeeds with an access token for the instance or the API, with or without a trailing slash in the audience', async () => {
    for (const audience of ['', '/', '/graphql/v2', '/graphql/v2/'].map((path) => config().BASE_URL + path)) {
      const made = await makeAccessToken(await makeUser(), ['openid'], { audience })
      expect((await api.execute(made.token, '{ me { id } }')).errors).toBeUndefined()
    }
  })

  it('is not required for introspection, because the schema is public', async () => {
    const reply = await api.execute(undefined, getIntrospectionQuery())
    expect(reply.errors).toBeUndefined()
    const seen = printSchema(lexicographicSortSchema(buildClientSchema(reply.data)))
    await expect(`${seen}\n`).toMatchFileSnapshot('../../../schema.graphql')
  })

  it('is required for other fields in an introspection query', async () => {
    const hidden =
      'query { __typename ...a } fragment a on Query { __schema { queryType { name } } ... { me { id } } }'
    const reply = await api.execute(undefined, hidden)
    expect(reply.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    expect(reply.data).toBeUndefined()
  })
})

describe('a project token', () => {
  it('is accepted in the Project-Access-Token header', async () => {
    const user = await makeUser()
    const project = await makeProject(await makeWorkspace([[user, 'MEMBER']]))
    const made = await makeApiToken(user, { project })
    const headers = { 'content-type': 'application/json', 'project-access-token': made.token }
    const body = JSON.stringify({ query: `{ project(id: "${project.id}") { id } }` })
    const reply = await api.send({ method: 'POST', headers, body })
    expect(reply.data).toEqual({ project: { id: project.id } })
  })

  it('cannot be replaced with an account token in the Project-Access-Token header', async () => {
    const headers = { 'content-type': 'application/json', 'project-access-token': token }
    const reply = await api.send({
      method: 'POST',
      headers,
      body: JSON.stringify({ query: '{ me { id } }' }),
    })
    expect(reply.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
  })
})
