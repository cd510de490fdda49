import { describe, expect, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import {
  authorize,
  challengeOf,
  newVerifier,
  offline,
  requestToken,
  signInToApp,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { makeOwner, native, type Owner, startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, web, cli } = await startOAuthWorld()

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

  it('takes no verifier for a code that was asked for without a challenge', async () => {
    const { code_verifier, ...fields } = await newCode(web)
    const code = (await authorize(owner.browser, web)).get('code') as string
    expect(await errorOf(web, { ...fields, code, code_verifier })).toEqual([400, 'invalid_grant'])
    expect((await requestToken(web, { ...fields, code })).status).toBe(200)
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
      `UPDATE oauth_artifacts SET expires_at = now() - interval '1 second'
        WHERE model = 'AuthorizationCode' AND consumed_at IS NULL`,
    )
    expect(await errorOf(cli, fields)).toEqual([400, 'invalid_grant'])
    expect(await errorOf(cli, { ...fields, code: 'made-up' })).toEqual([400, 'invalid_grant'])
  })

  describe('says which it was', () => {
    const described = async (app: TestApp, fields: Record<string, string>) => {
      const { status, body } = await requestToken(app, fields)
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
      return body.error_description
    }
    const newRefreshToken = async (person: Owner) => {
      const { body } = await signInToApp(person.browser, cli, offline)
      return { grant_type: 'refresh_token', refresh_token: body.refresh_token as string }
    }
    const expire = (credential: string) =>
      pool().query(`UPDATE oauth_artifacts SET expires_at = now() - interval '1 second' WHERE hash = $1`, [
        hashCredential(credential),
      ])

    it('of a code', async () => {
      for (const app of [web, cli]) {
        const fields = await newCode(app)
        const elsewhere = { ...fields, redirect_uri: 'https://app.example.test/other' }
        expect(await described(app, elsewhere)).toMatch(/^redirect_uri is not/)
        expect(await described(app, { ...fields, code_verifier: newVerifier() })).toMatch(
          /^code_verifier does not/,
        )
        expect(await described(app, without(fields, 'code_verifier'))).toMatch(/^code_verifier is missing/)
        expect(await described(await owner.makeApp(native), fields)).toMatch(/issued to another client/)
        expect((await requestToken(app, fields)).status).toBe(200)
        expect(await described(app, fields)).toMatch(/was used before/)
        const late = await newCode(app)
        await expire(late.code)
        expect(await described(app, late)).toMatch(/has expired/)
      }
    })

    it('of a refresh token', async () => {
      const person = await makeOwner()
      const fields = await newRefreshToken(person)
      expect(await described(await owner.makeApp(native), fields)).toMatch(/issued to another client/)
      await expire(fields.refresh_token)
      expect(await described(cli, fields)).toMatch(/has expired/)
      const used = await newRefreshToken(person)
      await requestToken(cli, used)
      await pool().query(
        `UPDATE oauth_artifacts SET consumed_at = now() - interval '31 seconds' WHERE hash = $1`,
        [hashCredential(used.refresh_token)],
      )
      expect(await described(cli, used)).toMatch(/was used before, so the authorization has ended/)
      const revoked = await newRefreshToken(person)
      await pool().query('DELETE FROM authorizations WHERE user_id = $1', [person.person.id])
      expect(await described(cli, revoked)).toMatch(/has been revoked/)
    })

    it('and nothing of what is not known, such as a credential of somebody suspended', async () => {
      const unknown = await described(cli, { grant_type: 'refresh_token', refresh_token: 'lk_rt_nothing' })
      expect(unknown).toMatch(/not known here/)
      const person = await makeOwner()
      const fields = await newRefreshToken(person)
      await pool().query('UPDATE users SET suspended_at = now() WHERE id = $1', [person.person.id])
      expect(await described(cli, fields)).toBe(unknown)
    })

    it('that no client is named', async () => {
      const response = await server.fetch('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
      })
      const body = (await response.json()) as Record<string, string>
      expect([response.status, body.error]).toEqual([400, 'invalid_request'])
      expect(body.error_description).toMatch(/^client_id is missing/)
    })
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
