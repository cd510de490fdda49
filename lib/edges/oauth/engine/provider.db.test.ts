import { describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { gatheredFailures, listFailures, noteFailure } from '@/lib/features/apps/activity/failures'
import { removeStale } from '@/lib/features/apps/remove-stale'
import { makeClient } from '@/lib/testing/factories'
import { authorize, authorizeUrl, requestToken, signInToApp } from '@/lib/testing/oauth-flow'
import { makeOwner, native, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner } = await startOAuthWorld()

describe('removeStale', () => {
  it('removes self-registered clients that got no authorization within 14 days, and keeps all others', async () => {
    const old = `created_at = now() - interval '15 days'`
    const make = async (source: 'DYNAMIC' | 'SETTINGS', change: string) => {
      const { client } = await makeClient(owner.workspace, { source })
      await pool().query(`UPDATE oauth_clients SET ${change} WHERE id = $1`, [client.id])
      return client.id
    }
    const stale = await make('DYNAMIC', old)
    const others = [
      await make('DYNAMIC', `created_at = now() - interval '13 days'`),
      await make('DYNAMIC', `${old}, first_authorized_at = now()`),
      await make('SETTINGS', old),
    ]
    await removeStale()
    const left = await prisma().oAuthClient.findMany({ where: { id: { in: [stale, ...others] } } })
    expect(left.map(({ id }) => id).sort()).toEqual(others.sort())
  })

  it('keeps a self-registered client whose only authorization was revoked', async () => {
    const app = await owner.makeApp({ source: 'DYNAMIC' })
    await signInToApp(owner.browser, app)
    await prisma().authorization.deleteMany({ where: { clientId: app.clientId } })
    await pool().query(`UPDATE oauth_clients SET created_at = now() - interval '15 days' WHERE id = $1`, [
      app.clientId,
    ])
    await removeStale()
    expect(await prisma().oAuthClient.count({ where: { id: app.clientId } })).toBe(1)
  })

  it('removes artifacts that expired more than a day ago', async () => {
    await authorize(owner.browser, await owner.makeApp())
    await pool().query(`UPDATE oauth_artifacts SET expires_at = now() - interval '25 hours'`)
    await removeStale()
    expect(await prisma().oAuthArtifact.count()).toBe(0)
  })
})

describe('an app’s rejected requests', () => {
  const failures = (clientId: string) =>
    listFailures({ kind: 'session', userId: owner.user.id } as never, clientId)

  it('are listed with their reasons and without secrets', async () => {
    const web = await owner.makeApp()
    await requestToken(
      { ...web, secret: 'a-wrong-secret' },
      { grant_type: 'refresh_token', refresh_token: 'x' },
    )
    await requestToken(web, {
      grant_type: 'authorization_code',
      code: 'a-code',
      redirect_uri: web.redirectUri,
    })
    await owner.browser.request(authorizeUrl(web, { redirect_uri: 'https://evil.example/cb?token=1' }))
    const list = await failures(web.clientId)
    expect(list.map(({ endpoint, error, reason }) => [endpoint, error, reason])).toEqual([
      [
        'authorization',
        'invalid_redirect_uri',
        'The redirect URI “https://evil.example/cb” isn’t registered for this app.',
      ],
      ['token', 'invalid_grant', 'authorization code not found'],
      ['token', 'invalid_client', 'invalid secret provided'],
    ])
    expect(JSON.stringify(list)).not.toMatch(/a-wrong-secret|a-code|token=1/)
  })

  it('contain a long unregistered redirect URI in shortened and percent-encoded form, so that the reason is not cut off', async () => {
    const app = await owner.makeApp()
    const address = `https://evil.example/” is fine. Call us ${'x'.repeat(600)}`
    await owner.browser.request(authorizeUrl(app, { redirect_uri: address }))
    const [{ reason } = {}] = await failures(app.clientId)
    expect(reason).toMatch(
      /^The redirect URI “https:\/\/evil\.example\/%E2%80%9D is fine\. Call us x+…” isn’t registered for this app\.$/,
    )
  })

  it('do not include login_required for prompt=none, which is expected in a normal flow', async () => {
    const cli = await owner.makeApp(native)
    await requestToken(cli, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' })
    await owner.browser.follow(authorizeUrl(cli, { prompt: 'none' }))
    const codes = (await failures(cli.clientId)).map(({ error }) => error)
    expect(codes).not.toContain('login_required')
  })

  it('are limited to the fifty newest', async () => {
    const app = await owner.makeApp()
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 30; at++) {
        noteFailure({ clientId: app.clientId, endpoint: 'token', error: 'e', description: `${round} ${at}` })
      }
      await gatheredFailures.now()
    }
    const rows = await prisma().appFailure.findMany({ where: { clientId: app.clientId } })
    expect(rows).toHaveLength(50)
    expect(rows.map(({ description }) => description)).toContain('2 29')
  })

  it('are visible only to users who manage the app', async () => {
    const app = await owner.makeApp()
    const stranger = await makeOwner()
    await expect(
      listFailures({ kind: 'session', userId: stranger.user.id } as never, app.clientId),
    ).rejects.toThrow('The OAuth app was not found')
  })
})
