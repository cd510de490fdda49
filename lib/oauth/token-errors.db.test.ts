import { describe, expect, it } from 'vitest'
import { pool } from '@/lib/db/pool'
import { authorize, challengeOf, newVerifier, requestToken, type TestApp } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()

const pkce = () => {
  const verifier = newVerifier()
  return {
    verifier,
    params: { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
  }
}

describe('POST /oauth/token', () => {
  const newCode = async (app: TestApp) => {
    const { verifier, params } = pkce()
    const code = (await authorize(owner.browser, app, params)).get('code') as string
    return { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier }
  }
  const errorOf = async (app: TestApp, fields: Record<string, string>, headers = {}) => {
    const { status, body } = await requestToken(app, fields, headers)
    return [status, body.error]
  }
  const without = (fields: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

  it('checks the PKCE verifier', async () => {
    const fields = await newCode(cli)
    expect(await errorOf(cli, { ...fields, code_verifier: newVerifier() })).toEqual([400, 'invalid_grant'])
    expect(await errorOf(cli, without(fields, 'code_verifier'))).toEqual([400, 'invalid_grant'])
    expect((await requestToken(cli, fields)).status).toBe(200)
  })

  it('checks that the redirect URI is the one the code was asked with', async () => {
    const fields = await newCode(web)
    const changed = { ...fields, redirect_uri: 'https://app.example.test/other' }
    expect(await errorOf(web, changed)).toEqual([400, 'invalid_grant'])
    expect(await errorOf(web, without(fields, 'redirect_uri'))).toEqual([400, 'invalid_request'])
  })

  it('refuses another client’s code, an expired one and one that never was', async () => {
    const fields = await newCode(cli)
    const other = await owner.makeApp(native)
    expect(await errorOf(other, fields)).toEqual([400, 'invalid_grant'])
    await pool().query(
      `UPDATE oauth_artifacts SET expires_at = now() - interval '1 second',
              payload = payload || jsonb_build_object('exp', floor(extract(epoch FROM now())) - 1)
        WHERE model = 'AuthorizationCode' AND consumed_at IS NULL`,
    )
    expect(await errorOf(cli, fields)).toEqual([400, 'invalid_grant'])
    expect(await errorOf(cli, { ...fields, code: 'made-up' })).toEqual([400, 'invalid_grant'])
  })

  it('refuses unknown and missing grant types', async () => {
    expect(await errorOf(cli, { grant_type: 'password' })).toEqual([400, 'unsupported_grant_type'])
    expect(await errorOf(cli, { grant_type: 'client_credentials' })).toEqual([400, 'unsupported_grant_type'])
    expect(await errorOf(cli, {})).toEqual([400, 'invalid_request'])
  })

  it('answers a client that fails to authenticate 400, and 401 when it used the header', async () => {
    const fields = await newCode(web)
    expect(await errorOf({ ...web, secret: 'wrong' }, fields)).toEqual([400, 'invalid_client'])
    const basic = { authorization: `Basic ${Buffer.from(`${web.clientId}:wrong`).toString('base64')}` }
    const answer = await requestToken({ ...web, secret: undefined }, fields, basic)
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  it('refuses a native app that sends a secret', async () => {
    const fields = await newCode(cli)
    expect(await errorOf({ ...cli, secret: 'anything' }, fields)).toEqual([400, 'invalid_client'])
    const basic = { authorization: `Basic ${Buffer.from(`${cli.clientId}:anything`).toString('base64')}` }
    expect(await errorOf(cli, fields, basic)).toEqual([401, 'invalid_client'])
    expect((await requestToken(cli, fields)).status).toBe(200)
  })

  it('refuses an unknown client', async () => {
    expect(await errorOf({ ...cli, clientId: 'lk_app_nobody' }, { grant_type: 'refresh_token' })).toEqual([
      400,
      'invalid_client',
    ])
  })

  it('answers JSON that nobody keeps', async () => {
    const { headers } = await requestToken(cli, { grant_type: 'refresh_token', refresh_token: 'x' })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
