import { describe, expect, it } from 'vitest'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { gatheredFailures } from '@/lib/features/apps/activity/failures'
import { exchangeOf, makeApi, requestFor, type TestApi } from '@/lib/testing/api-world'
import { captureLog } from '@/lib/testing/captured-log'
import { makeClientKey } from '@/lib/testing/client-key'
import {
  authorize,
  challengeOf,
  newVerifier,
  refresh,
  requestToken,
  signInToApp,
} from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'

/** APIs are the only callers of the token exchange (RFC 8693), and can do nothing else as a client. */
const { server, owner, web, cli } = await startOAuthWorld()

/** Creates two APIs, and grants both to an app. @returns the token response for the first one */
async function makePair(app = web) {
  const [one, two] = [await makeApi(), await makeApi()]
  const signIn = async (api: TestApi) => {
    const asked = { ...requestFor(api, 'offline_access'), prompt: 'consent' }
    return (await signInToApp(owner.browser, app, asked, { projects: [owner.project.id] })).body
  }
  await signIn(two)
  return { one, two, body: await signIn(one) }
}

type Fields = Record<string, string> | [string, string][]

/** Sends a token request with any credentials. @returns the status and the error */
async function post(fields: Fields, headers: Record<string, string> = {}, path = '/oauth/token') {
  const answer = await server.fetch(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  const { error } = (await answer.json()) as { error?: string }
  return [answer.status, error]
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

describe('the caller of a token exchange', () => {
  it('must be an API with one of its own secrets', async () => {
    const { one, two, body } = await makePair()
    const fields = exchangeOf(String(body.access_token), two)
    const wrong = [401, 'invalid_client']
    expect(await post(fields, basic(one.id, mintCredential('apiSecret')))).toEqual(wrong)
    expect(await post(fields, basic(one.id, two.secret))).toEqual(wrong)
    expect(await post(fields, basic('nothing', one.secret))).toEqual(wrong)
    expect(await post(fields, basic(web.clientId, one.secret))).toEqual(wrong)
    expect(await post(fields, basic(one.id, String(web.secret)))).toEqual(wrong)
    expect(await post(fields, basic(one.id, 'secret'))).toEqual(wrong)
    expect(await post(fields, basic(`${one.id}%00`, one.secret))).toEqual([400, 'invalid_request'])
    const inForm = [400, 'invalid_client']
    const form = (id: string, secret?: string) =>
      post({ ...fields, client_id: id, ...(secret && { client_secret: secret }) })
    expect(await form(one.id, two.secret)).toEqual(inForm)
    expect(await form(`${one.id}\0`, one.secret)).toEqual(inForm)
    expect(await form(one.id)).toEqual(inForm)
    const twice = { ...fields, client_id: one.id, client_secret: one.secret }
    expect(await post(twice, basic(one.id, one.secret))).toEqual([400, 'invalid_request'])
    expect(await post({ ...fields, client_id: two.id }, basic(one.id, one.secret))).toEqual([
      400,
      'invalid_request',
    ])
    const key = await makeClientKey()
    expect(await post({ ...fields, ...(await key.assertion(one.id)) })).toEqual(inForm)
    await prisma().apiCredential.deleteMany({ where: { apiId: one.id } })
    expect(await post(fields, basic(one.id, one.secret))).toEqual(wrong)
  })

  it('cannot be an app, regardless of its registered grant types', async () => {
    const { one, two, body } = await makePair()
    const fields = exchangeOf(String(body.access_token), two)
    const refused = { error: 'unauthorized_client', error_description: 'only an API can exchange tokens' }
    for (const app of [web, cli, await owner.makeApp(native)])
      expect((await requestToken(app, fields)).body).toEqual(refused)
    const registered = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['https://app.example/callback'],
        grant_types: ['authorization_code', fields.grant_type],
        token_endpoint_auth_method: 'client_secret_post',
      }),
    })
    const metadata = (await registered.json()) as Record<string, string>
    expect(metadata.grant_types).not.toContain(fields.grant_type)
    const app = { clientId: String(metadata.client_id), secret: metadata.client_secret, redirectUri: '' }
    expect((await requestToken(app, fields)).body).toEqual(refused)
    await prisma().oAuthClient.update({
      where: { id: web.clientId },
      data: {
        metadata: { grant_types: [fields.grant_type, 'authorization_code', 'refresh_token'] },
        version: { increment: 1 },
      },
    })
    expect((await requestToken(web, fields)).body).toEqual(refused)
    await prisma().oAuthClient.update({
      where: { id: web.clientId },
      data: { metadata: {}, version: { increment: 1 } },
    })
    expect((await one.exchange(String(body.access_token), two)).status).toBe(200)
  })

  it('cannot use any other grant, or any other endpoint for apps', async () => {
    const { one, body } = await makePair()
    const verifier = newVerifier()
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const code = String((await authorize(owner.browser, web, pkce)).get('code'))
    const redemption = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: web.redirectUri,
      code_verifier: verifier,
    }
    const grants: Record<string, string>[] = [
      redemption,
      { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) },
      { grant_type: 'client_credentials', scope: String(one.names[0]), resource: one.identifier },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'x' },
    ]
    for (const fields of grants) {
      const { body: answer } = await one.request(fields)
      expect(answer).toEqual({
        error: 'unauthorized_client',
        error_description: 'an API can only exchange tokens',
      })
    }
    expect((await one.request({ grant_type: 'unknown' })).body.error).toBe('unsupported_grant_type')
    expect((await one.request({})).body.error).toBe('invalid_request')
    const used = await requestToken(web, redemption)
    expect(used.status).toBe(200)
    expect((await refresh(web, String(body.refresh_token))).status).toBe(200)
    const secret = { client_id: one.id, client_secret: one.secret }
    for (const [path, fields] of [
      ['/oauth/request', { response_type: 'code', scope: 'openid', redirect_uri: 'https://x.example' }],
      ['/oauth/device/auth', { scope: 'openid' }],
      ['/oauth/token/revocation', { token: String(body.access_token) }],
    ] as const) {
      expect(await post({ ...fields, ...secret }, {}, path)).toEqual([400, 'invalid_client'])
      expect(await post({ ...fields }, basic(one.id, one.secret), path)).toEqual([401, 'invalid_client'])
    }
    for (const path of ['/oauth/request', '/oauth/device/auth'])
      expect(await post({ client_id: one.id, scope: 'openid' }, {}, path)).toEqual([400, 'invalid_client'])
    expect(await one.see(String(body.access_token))).toMatchObject({ active: true })
  })

  it('causes no failure record for an app, and no error in the log', async () => {
    const app = await owner.makeApp()
    const { one, two, body } = await makePair(app)
    const log = captureLog()
    try {
      await one.exchange(String(body.access_token), two)
      await one.exchange('nonsense', two)
      await one.request({ grant_type: 'refresh_token', refresh_token: 'x' })
    } finally {
      log.release()
    }
    expect(gatheredFailures.pending(one.id)).toBeUndefined()
    expect(gatheredFailures.pending(app.clientId)).toBeUndefined()
    expect(log.entries().filter(({ level }) => level === 'error')).toEqual([])
    expect(log.text()).not.toContain(one.secret)
  })
})
