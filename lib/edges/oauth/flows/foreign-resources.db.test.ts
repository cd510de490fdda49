import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { blockApp, withdrawDecision } from '@/lib/features/app-access/decide'
import {
  resumeInstallation,
  suspendInstallation,
  uninstallApp,
} from '@/lib/features/app-access/installations'
import { introspect, queryApi, revoke } from '@/lib/testing/app-requests'
import { grant, makeInstallationWorld } from '@/lib/testing/installation-world'
import {
  authorize,
  challengeOf,
  newVerifier,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'

/**
 * Attempts to use a token at another resource, and to use an installation that is suspended, deleted, or
 * belongs to another app.
 */
const { server, owner, web, cli } = await startOAuthWorld()
const base = () => config().BASE_URL

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
async function atMcp(token: string) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const headers = { ...json, authorization: `Bearer ${token}` }
  return (await server.fetch('/mcp', { method: 'POST', headers, body })).status
}
const atApi = async (token: string) => (await queryApi(token, '{ currentToken { kind } }')).code
/** Returns whether a token is accepted at each resource. */
const worth = async (token: string) => ({
  api: await atApi(token),
  mcp: await atMcp(token),
  me: (await userinfo(token)).status,
})

/** Sends a token request with parameters that can be repeated. */
async function ask(app: TestApp, fields: [string, string][], path = '/oauth/token') {
  const body = new URLSearchParams({ client_id: app.clientId })
  if (app.secret) body.set('client_secret', app.secret)
  for (const [name, value] of fields) body.append(name, value)
  const response = await server.fetch(path, { method: 'POST', body })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** Returns resources of other services, and resources of this service in other spellings. */
const foreign = (): string[] => [
  'https://other.example',
  `${base()}.evil.example`,
  `${base()}@evil.example/mcp`,
  base().replace('http:', 'https:'),
  base().replace('127.0.0.1', 'localhost'),
  base().replace('127.0.0.1', '127.0.0.1.'),
  base().replace(/:\d+$/, ':1'),
  base().replace('//', '//me:password@'),
  base().toUpperCase(),
  base().replace('127.0.0.1', '0x7f.1'),
  `${base()}//`,
  `${base()}/graphql`,
  `${base()}/graphql/v1`,
  `${base()}/graphql/v2//`,
  `${base()}/graphql/v2/x`,
  `${base()}/graphql/v2?x=1`,
  `${base()}/graphql/v2?`,
  `${base()}/graphql/v2#x`,
  `${base()}/graphql/v2#`,
  `${base()}/GraphQL/v2`,
  `${base()}/MCP`,
  `${base()}/%6dcp`,
  `${base()}/mcp%2f`,
  `${base()}/mcp/../mcp`,
  `${base()}/./mcp`,
  `${base()}\\mcp`,
  `${base()}/mcp\0`,
  `${base()}/mcp `,
  ` ${base()}/mcp`,
  `\n${base()}/mcp`,
  `${base()}/mcp,${base()}/graphql/v2`,
  `${base()}/mcp ${base()}/graphql/v2`,
  `["${base()}/mcp"]`,
  `${base()}/oauth`,
  `${base()}/oauth/me`,
  `${base()}/installations/00000000-0000-0000-0000-000000000000`,
  '/mcp',
  'mcp',
  '*',
  'null',
  'urn:x:y',
  'javascript:alert(1)',
  'localhost',
]

describe('a resource of another service, or a misspelled resource of this service', () => {
  it('is rejected in authorization requests, pushed requests, and device requests', async () => {
    for (const resource of foreign()) {
      const answer = await authorize(owner.browser, web, { resource })
      expect([resource, answer.get('error')]).toEqual([resource, 'invalid_target'])
      const request: [string, string][] = [
        ['redirect_uri', web.redirectUri],
        ['response_type', 'code'],
        ['scope', 'openid'],
        ['resource', resource],
      ]
      const pushed = await ask(web, request, '/oauth/request')
      expect([resource, pushed.body.error]).toEqual([resource, 'invalid_target'])
      const device = await ask(
        cli,
        [
          ['scope', 'openid'],
          ['resource', resource],
        ],
        '/oauth/device/auth',
      )
      expect([resource, device.body.error]).toEqual([resource, 'invalid_target'])
    }
  }, 60_000)

  it('is rejected in token requests with a code, a refresh token, or client credentials', async () => {
    const { body } = await signInToApp(owner.browser, web, offline)
    for (const resource of foreign()) {
      const tried = await refresh(web, String(body.refresh_token), { resource })
      expect([resource, tried.body.error]).toEqual([resource, 'invalid_target'])
      const own = await ask(web, [
        ['grant_type', 'client_credentials'],
        ['resource', resource],
      ])
      expect([resource, own.status]).toEqual([resource, 400])
    }
    for (const resource of foreign().slice(0, 5)) {
      const verifier = newVerifier()
      const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
      const code = String((await authorize(owner.browser, web, pkce)).get('code'))
      const fields = { grant_type: 'authorization_code', code, redirect_uri: web.redirectUri }
      const tried = await requestToken(web, { ...fields, code_verifier: verifier, resource })
      expect([resource, tried.body.error]).toEqual([resource, 'invalid_target'])
    }
    // The refresh token is still valid, because a wrong resource does not use it up.
    expect((await refresh(web, String(body.refresh_token))).status).toBe(200)
  }, 60_000)
})

describe('a token for one resource', () => {
  const fields = { code_challenge_method: 'S256' }
  /** Returns a code for several resources, and a token for one of them. */
  async function tokenFor(asked: string[], resource: string | undefined) {
    const verifier = newVerifier()
    const url = new URL(`${base()}/oauth/auth`)
    const all = { client_id: web.clientId, redirect_uri: web.redirectUri, response_type: 'code', ...offline }
    const params = { ...all, ...fields, code_challenge: challengeOf(verifier) }
    for (const [name, value] of Object.entries(params)) url.searchParams.append(name, value)
    for (const each of asked) url.searchParams.append('resource', each)
    const page = await owner.browser.follow(url.href)
    const path = new URL(page.url).pathname
    const answer = await owner.browser.submit(`${path}/decision`, [['decision', 'authorize']])
    const code = new URL(String(answer.headers.get('location'))).searchParams.get('code')
    return requestToken(web, {
      grant_type: 'authorization_code',
      code: String(code),
      redirect_uri: web.redirectUri,
      code_verifier: verifier,
      ...(resource ? { resource } : {}),
    })
  }

  it('works only at that resource, or everywhere if the resource is the whole service', async () => {
    const [api, mcp] = [`${base()}/graphql/v2`, `${base()}/mcp`]
    const forApi = { api: 'ok', mcp: 401, me: 401 }
    const forMcp = { api: 'UNAUTHENTICATED', mcp: 200, me: 401 }
    const cases: [string[], string, object][] = [
      [[api], api, forApi],
      [[`${api}/`], `${api}/`, forApi],
      [[mcp], mcp, forMcp],
      [[`${mcp}/`], `${mcp}/`, forMcp],
      [[api, mcp], mcp, forMcp],
      [[api, mcp], api, forApi],
      [[base()], base(), { api: 'ok', mcp: 200, me: 200 }],
    ]
    for (const [asked, named, expected] of cases) {
      const { body } = await tokenFor(asked, named)
      expect([asked, named, await worth(String(body.access_token))]).toEqual([asked, named, expected])
      const seen = await introspect(web, String(body.access_token))
      expect(seen).toMatchObject({ active: true, aud: named })
    }
  }, 60_000)

  it('cannot be extended to other resources with its code, a refresh token, or a two-resource request', async () => {
    const [api, mcp] = [`${base()}/graphql/v2`, `${base()}/mcp`]
    for (const [asked, named] of [
      [[mcp], api],
      [[mcp], base()],
      [[mcp], `${mcp}/`],
      [[api], mcp],
      [[api, mcp], base()],
    ] as const) {
      expect([asked, named, (await tokenFor([...asked], named)).body.error]).toEqual([
        asked,
        named,
        'invalid_target',
      ])
    }
    const { body } = await tokenFor([mcp], mcp)
    const token = String(body.refresh_token)
    for (const named of [api, base(), `${base()}/`, `${mcp}/`]) {
      expect([named, (await refresh(web, token, { resource: named })).body.error]).toEqual([
        named,
        'invalid_target',
      ])
    }
    const two = await ask(web, [
      ['grant_type', 'refresh_token'],
      ['refresh_token', token],
      ['resource', mcp],
      ['resource', api],
    ])
    expect(await worth(String(two.body.access_token))).toEqual({ api: 'UNAUTHENTICATED', mcp: 200, me: 401 })
    const narrow = await refresh(web, token, { resource: mcp })
    expect(await worth(String(narrow.body.access_token))).toMatchObject({ api: 'UNAUTHENTICATED', me: 401 })
  }, 60_000)
})

describe('an installation', () => {
  type World = Awaited<ReturnType<typeof makeInstallationWorld>>
  let given: World
  let rival: World
  beforeAll(async () => {
    given = await makeInstallationWorld(await makeOwner())
    rival = await makeInstallationWorld(await makeOwner())
  })

  it.each<[string, (by: World) => Promise<unknown>, ((by: World) => Promise<unknown>) | undefined]>([
    [
      'suspended',
      ({ admin, workspaceId, app }) => suspendInstallation(admin, workspaceId, app.clientId),
      ({ admin, workspaceId, app }) => resumeInstallation(admin, workspaceId, app.clientId),
    ],
    [
      'blocked',
      ({ admin, workspaceId, app }) => blockApp(admin, workspaceId, app.clientId),
      ({ admin, workspaceId, app }) => withdrawDecision(admin, workspaceId, app.clientId),
    ],
    [
      'put back into development',
      ({ app }) =>
        prisma().oAuthClient.update({ where: { id: app.clientId }, data: { inDevelopment: true } }),
      ({ app }) =>
        prisma().oAuthClient.update({ where: { id: app.clientId }, data: { inDevelopment: false } }),
    ],
    [
      'uninstalled and installed again',
      async ({ admin, workspaceId, app, install }) => {
        await uninstallApp(admin, workspaceId, app.clientId)
        await install({})
      },
      undefined,
    ],
  ])('has no valid token at any endpoint after it or its app is %s', async (_how, cut, mend) => {
    const { app, resource } = given
    const [token, spare, other] = [await given.token(), await given.token(), await rival.token()]
    expect([await atApi(token), await atMcp(token)]).toEqual(['ok', 200])
    const own = String((await requestToken(app, grant)).body.access_token)
    await cut(given)
    for (const each of [token, spare]) {
      expect(await worth(each)).toEqual({ api: 'UNAUTHENTICATED', mcp: 401, me: 401 })
      expect(await introspect(app, each)).toEqual({ active: false })
      for (const query of [
        '{ me { id } }',
        '{ projects(first: 1) { nodes { id } } }',
        `{ workspace(workspaceId: "${given.workspaceId}") { id } }`,
        `mutation { projectCreate(input: { workspaceId: "${given.workspaceId}", name: "x" }) { id } }`,
      ]) {
        expect((await queryApi(each, query)).code).toBe('UNAUTHENTICATED')
      }
    }
    for (const scope of [undefined, 'workspace:member', 'openid', 'workspace:admin']) {
      const again = await requestToken(app, { ...grant, resource, ...(scope ? { scope } : {}) })
      expect([scope, again.body.error]).toEqual([scope, 'invalid_target'])
    }
    // The token that lists the installations has no access to the workspace.
    for (const query of [
      `{ workspace(workspaceId: "${given.workspaceId}") { id } }`,
      '{ projects(first: 1) { nodes { id } } }',
    ]) {
      expect((await queryApi(own, query)).code).not.toBe('ok')
    }
    // An invalid token can still be revoked, and stays revoked.
    expect(await revoke(app, spare)).toBe(200)
    expect([await atApi(other), await atMcp(other)]).toEqual(['ok', 200])
    if (!mend) return
    await mend(given)
    expect(await atApi(token)).toBe('ok')
    expect(await atApi(spare)).toBe('UNAUTHENTICATED')
  })

  it('is accepted as a resource only if its own app requests it alone, with the exact URL (ignoring case in the ID)', async () => {
    const fresh = await makeInstallationWorld(await makeOwner())
    const { id, app, resource } = fresh
    const at = `${base()}/installations/`
    for (const named of [
      rival.resource,
      `${resource}/`,
      `${resource}?`,
      `${resource}?id=${rival.id}`,
      `${resource}#`,
      `${resource}/../${rival.id}`,
      `${at}${rival.id}/../${id}`,
      `${at}/${id}`,
      `${at}{${id}}`,
      `${at}${id.replaceAll('-', '')}`,
      `${at}urn:uuid:${id}`,
      `${at}${id}%00`,
      `${at}${id}\0`,
      `${at}${id},${rival.id}`,
      `${at}*`,
      `${at}`,
      `${base()}/Installations/${id}`,
      `${base()}/installations%2F${id}`,
      `${base().replace('http:', 'https:')}/installations/${id}`,
      `https://other.example/installations/${id}`,
      id,
    ]) {
      const tried = await requestToken(app, { ...grant, resource: named })
      expect([named, tried.status, tried.body.error]).toEqual([named, 400, 'invalid_target'])
    }
    for (const others of [
      [resource, rival.resource],
      [rival.resource, resource],
    ]) {
      const fields = others.map((each): [string, string] => ['resource', each])
      const tried = await ask(app, [['grant_type', 'client_credentials'], ...fields])
      expect(tried.body.error).toBe('invalid_target')
    }
    // The uppercase spelling is the same UUID, so this token is revoked with the installation too.
    const capitals = await requestToken(app, { ...grant, resource: `${at}${id.toUpperCase()}` })
    await suspendInstallation(fresh.admin, fresh.workspaceId, app.clientId)
    expect(capitals.status).toBe(200)
    expect(await atApi(String(capitals.body.access_token))).toBe('UNAUTHENTICATED')
  })

  it('cannot be the resource of a sign-in, a device request, or a refresh', async () => {
    const { resource, app } = rival
    expect((await authorize(owner.browser, app, { resource })).get('error')).toBe('invalid_target')
    const request: [string, string][] = [
      ['scope', 'openid'],
      ['resource', resource],
    ]
    expect((await ask(cli, request, '/oauth/device/auth')).body.error).toBe('invalid_target')
    const { body } = await signInToApp(owner.browser, app, offline)
    expect((await refresh(app, String(body.refresh_token), { resource })).body.error).toBe('invalid_target')
  })

  it('keeps its tokens and scopes if another app tries to introspect or revoke the tokens, or its app requests more scopes', async () => {
    const token = await rival.token()
    expect(await introspect(given.app, token)).toEqual({ active: false })
    expect(await introspect(web, token)).toEqual({ active: false })
    await revoke(given.app, token)
    await revoke(web, token)
    expect([await atApi(token), await atMcp(token)]).toEqual(['ok', 200])
    for (const scope of [
      'workspace:admin',
      'project:admin',
      'openid',
      'email',
      'notifications',
      'ssh_keys',
      'x',
    ]) {
      const tried = await requestToken(rival.app, { ...grant, resource: rival.resource, scope })
      expect([scope, tried.body.error]).toEqual([scope, 'invalid_scope'])
    }
    const mixed = await requestToken(rival.app, {
      ...grant,
      resource: rival.resource,
      scope: 'workspace:viewer workspace:admin openid offline_access',
    })
    expect(mixed.body.scope).toBe('workspace:viewer')
    expect((await userinfo(token)).status).toBe(401)
    for (const each of ['/graphql/v2', '/mcp', '', '/']) {
      const { body } = await requestToken(rival.app, { ...grant, resource: base() + each })
      const { data } = await queryApi(String(body.access_token), '{ projects(first: 1) { nodes { id } } }')
      expect(data?.projects ?? null).toBeNull()
    }
  })
})
