import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { startTestServer, type TestServer } from '@/lib/testing/server'
import snapshot from './openid-configuration.snapshot.json' with { type: 'json' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const read = async (path: string) => {
  const response = await server.fetch(path, { headers: { origin: 'http://localhost:6274' } })
  expect(response.status, path).toBe(200)
  expect(response.headers.get('access-control-allow-origin'), path).toBeTruthy()
  return JSON.parse((await response.text()).replaceAll(config().BASE_URL, 'https://id.example')) as object
}

describe('authorization server metadata', () => {
  it('says exactly this', async () => {
    expect(await read('/oauth/.well-known/openid-configuration')).toEqual(snapshot)
  })

  it('says the same where RFC 8414 has metadata of OpenID Connect', async () => {
    expect(await read('/.well-known/openid-configuration/oauth')).toEqual(snapshot)
  })

  it.each([
    '/oauth/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/oauth',
    '/.well-known/oauth-authorization-server',
  ])('says at %s beside that which grant some apps have besides', async (path) => {
    const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    expect(await read(path)).toEqual({
      ...snapshot,
      grant_types_supported: [...snapshot.grant_types_supported, grant],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    })
  })
})

describe('protected resource metadata', () => {
  it.each([
    ['/.well-known/oauth-protected-resource', 'https://id.example'],
    ['/.well-known/oauth-protected-resource/graphql/v2', 'https://id.example/graphql/v2'],
    ['/.well-known/oauth-protected-resource/mcp', 'https://id.example/mcp'],
  ])('%s names its resource and no scope an agent should not ask for', async (path, resource) => {
    const metadata = (await read(path)) as { scopes_supported: string[] }
    expect(metadata).toMatchObject({ resource, authorization_servers: ['https://id.example/oauth'] })
    expect(metadata.scopes_supported).not.toContain('offline_access')
    expect(metadata.scopes_supported.filter((scope) => scope.endsWith(':admin'))).toEqual([])
  })
})
