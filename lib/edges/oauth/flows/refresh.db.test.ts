import { afterAll, describe, expect, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { resumeInstallation, suspendInstallation } from '@/lib/features/app-access/installations'
import { revokeForReuse } from '@/lib/features/apps/authorizations/revoke-authorization'
import { deleteApp } from '@/lib/features/apps/update-app'
import { mintEmailToken } from '@/lib/features/identity/email/email-tokens'
import { resetPassword } from '@/lib/features/identity/users/reset-password'
import { deleteWorkspace } from '@/lib/features/workspaces/delete-workspace'
import { introspect, queryApi, revoke } from '@/lib/testing/app-requests'
import { makeUser } from '@/lib/testing/factories'
import { makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
import { lockWaits } from '@/lib/testing/lock-waits'
import { offline, refresh, requestToken, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, native, type Owner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeSsoWorkspace, startProviders } from '@/lib/testing/sso-world'
import { deleteClient } from '../store/clients'
import { authorizationUse } from '../store/commit-token-request'

const { owner, web, cli } = await startOAuthWorld()

const newRefreshToken = async (app: TestApp) =>
  (await signInToApp(owner.browser, app, offline)).body.refresh_token as string

/** Changes the row of a token. */
const age = (token: string, change: string) =>
  pool().query(`UPDATE oauth_artifacts SET ${change} WHERE hash = $1`, [hashCredential(token)])

describe('refresh tokens', () => {
  describe('the token endpoint', () => {
    it('replaces a public client’s refresh token on every use', async () => {
      const first = await newRefreshToken(cli)
      const { status, body } = await refresh(cli, first)
      expect(status).toBe(200)
      expect(body.refresh_token).toMatch(/^lk_rt_/)
      expect(body.refresh_token).not.toBe(first)
      expect((await refresh(cli, body.refresh_token as string)).status).toBe(200)
    })

    it('replaces a confidential client’s refresh token only after 70% of its lifetime', async () => {
      const token = await newRefreshToken(web)
      expect((await refresh(web, token)).body.refresh_token).toBe(token)
      const now = Math.floor(Date.now() / 1000)
      const year = 365 * 86_400
      const payload = (past: number) =>
        `payload = payload || '{"iat": ${Math.floor(now - past * year)}, "exp": ${Math.floor(now + (1 - past) * year)}}'`
      await age(token, payload(0.69))
      expect((await refresh(web, token)).body.refresh_token).toBe(token)
      await age(token, payload(0.71))
      expect((await refresh(web, token)).body.refresh_token).not.toBe(token)
    })

    it('issues an access token with fewer scopes on request, but not with more', async () => {
      const { body } = await signInToApp(owner.browser, web, {
        ...offline,
        scope: 'openid email offline_access',
      })
      const token = body.refresh_token as string
      const narrow = await refresh(web, token, { scope: 'openid' })
      expect(narrow.body.scope).toBe('openid')
      const wide = await refresh(web, token, { scope: 'openid profile' })
      expect([wide.status, wide.body.error]).toEqual([400, 'invalid_scope'])
    })
  })

  describe('the use of a refresh token', () => {
    it('returns the same response if it is repeated within 30 seconds', async () => {
      const first = await newRefreshToken(cli)
      const answer = await refresh(cli, first)
      const repeated = await refresh(cli, first)
      expect(repeated.status).toBe(200)
      expect(repeated.body).toEqual(answer.body)
      expect((await userinfo(repeated.body.access_token as string)).status).toBe(200)
    })

    it('returns the same response to parallel requests', async () => {
      const first = await newRefreshToken(cli)
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(cli, first)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(1)
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    })

    it('is rejected if it is repeated with different parameters', async () => {
      const first = await newRefreshToken(cli)
      await refresh(cli, first)
      const other = await refresh(cli, first, { scope: 'openid' })
      expect([other.status, other.body.error]).toEqual([400, 'invalid_grant'])
      expect((await refresh(cli, first)).status).toBe(200)
    })

    it('returns a response that is stored in encrypted form', async () => {
      const first = await newRefreshToken(cli)
      const { body } = await refresh(cli, first)
      const row = await prisma().oAuthArtifact.findUniqueOrThrow({
        where: { hash: new Uint8Array(hashCredential(first)) },
      })
      expect(row.replay).not.toBeNull()
      expect(Buffer.from(row.replay as Uint8Array).toString('latin1')).not.toContain(body.access_token)
    })

    it('ends the authorization if it is repeated after more than 30 seconds, which is recorded in the audit log', async () => {
      const app = await owner.makeApp(native)
      const first = await newRefreshToken(app)
      const { body } = await refresh(app, first)
      await age(first, `consumed_at = now() - interval '31 seconds'`)
      const reused = await refresh(app, first)
      expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant'])
      expect((await userinfo(body.access_token as string)).status).toBe(401)
      expect((await refresh(app, body.refresh_token as string)).status).toBe(400)
      expect(await prisma().authorization.count({ where: { clientId: app.clientId } })).toBe(0)
      const events = await prisma().auditEvent.findMany({
        where: { actorId: app.clientId, actorKind: 'system' },
      })
      expect(events.map(({ action, userId }) => [action, userId])).toEqual([
        ['authorization.revoked_after_token_reuse', owner.user.id],
      ])
    })

    it('is rejected if the token was issued to another client', async () => {
      const stolen = await newRefreshToken(cli)
      const other = await owner.makeApp(native)
      const { status, body } = await refresh(other, stolen)
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
      expect((await refresh(cli, stolen)).status).toBe(200)
    })
  })

  describe('a refresh token', () => {
    it('expires after a year without use', async () => {
      const token = await newRefreshToken(cli)
      const { rows } = await pool().query('SELECT expires_at FROM oauth_artifacts WHERE hash = $1', [
        hashCredential(token),
      ])
      const days = (rows[0].expires_at.getTime() - Date.now()) / 86_400_000
      expect(days).toBeGreaterThan(364.9)
      expect(days).toBeLessThan(365.1)
    })

    it('becomes invalid when the same authorization has a hundred newer refresh tokens', async () => {
      const app = await owner.makeApp()
      const oldest = await newRefreshToken(app)
      const { rows } = await pool().query('SELECT * FROM oauth_artifacts WHERE hash = $1', [
        hashCredential(oldest),
      ])
      await pool().query(
        `INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, created_at, expires_at)
       SELECT sha256(n::text::bytea), 'RefreshToken', $1, '{}', now() - interval '1 second', now() + interval '1 day'
         FROM generate_series(1, 99) n`,
        [rows[0].authorization_id],
      )
      // Simulate ninety-nine sign-ins.
      await authorizationUse.now()
      await prisma().authorization.update({
        where: { id: rows[0].authorization_id },
        data: { signIns: { increment: 99 } },
      })
      await age(oldest, `created_at = now() - interval '1 day'`)
      expect((await refresh(app, oldest)).status).toBe(200)
      await newRefreshToken(app)
      expect((await refresh(app, oldest)).body.error).toBe('invalid_grant')
      const live = await prisma().oAuthArtifact.count({
        where: { authorizationId: rows[0].authorization_id, model: 'RefreshToken' },
      })
      expect(live).toBe(100)
    })

    it('becomes invalid when the user is suspended, the app is disabled or deleted, or the authorization is revoked', async () => {
      const cases: [string, (app: TestApp, user: Owner) => Promise<unknown>][] = [
        [
          'suspended',
          (_, { user }) => pool().query('UPDATE users SET suspended_at = now() WHERE id = $1', [user.id]),
        ],
        [
          'disabled',
          (app) => pool().query('UPDATE oauth_clients SET disabled_at = now() WHERE id = $1', [app.clientId]),
        ],
        ['deleted', (app) => pool().query('DELETE FROM oauth_clients WHERE id = $1', [app.clientId])],
        ['revoked', (app) => pool().query('DELETE FROM authorizations WHERE client_id = $1', [app.clientId])],
      ]
      for (const [name, end] of cases) {
        const someone = await makeOwner()
        const app = await someone.makeApp()
        const { body } = await signInToApp(someone.browser, app, offline)
        expect((await userinfo(body.access_token as string)).status, name).toBe(200)
        await end(app, someone)
        const me = await userinfo(body.access_token as string)
        expect([me.status, me.body.error], name).toEqual([401, 'invalid_token'])
        const refreshed = await refresh(app, body.refresh_token as string)
        expect(refreshed.status, name).toBe(400)
        expect(['invalid_grant', 'invalid_client'], name).toContain(refreshed.body.error)
      }
    })
  })

  describe('a token', () => {
    it('is revoked alone if it is an access token, and with its whole sign-in if it is a refresh token', async () => {
      const one = (await signInToApp(owner.browser, web, offline)).body
      const two = (await signInToApp(owner.browser, web, offline)).body
      const revoked = await fetch(new URL('/oauth/token/revocation', process.env.BASE_URL), {
        method: 'POST',
        body: new URLSearchParams({
          client_id: web.clientId,
          client_secret: String(web.secret),
          token: one.access_token as string,
        }),
      })
      expect([revoked.status, await revoked.text(), revoked.headers.get('content-type')]).toEqual([
        200,
        '',
        null,
      ])
      expect((await userinfo(one.access_token as string)).status).toBe(401)
      const again = await refresh(web, one.refresh_token as string)
      expect(again.status).toBe(200)
      expect(await revoke(web, one.refresh_token as string)).toBe(200)
      expect((await refresh(web, one.refresh_token as string)).status).toBe(400)
      expect((await userinfo(again.body.access_token as string)).status).toBe(401)
      expect((await userinfo(two.access_token as string)).status).toBe(200)
    })

    it('is reported as inactive if another app requests its introspection', async () => {
      const { body } = await signInToApp(owner.browser, web, offline)
      const own = await introspect(web, body.refresh_token as string)
      expect(own).toMatchObject({ active: true, client_id: web.clientId, sub: owner.user.id })
      const other = await owner.makeApp()
      const foreign = await introspect(other, body.access_token as string)
      expect(foreign).toEqual({ active: false })
    })
  })

  it('are rejected if a confidential client does not authenticate', async () => {
    const token = await newRefreshToken(web)
    const { status, body } = await requestToken(
      { ...web, secret: undefined },
      { grant_type: 'refresh_token', refresh_token: token },
    )
    expect([status, body.error]).toEqual([400, 'invalid_client'])
  })
})

describe('the lifetime of a refresh token', () => {
  it('ends two years after the user authorized the app, regardless of use', async () => {
    const year = 365 * 86_400
    const now = () => Math.floor(Date.now() / 1000)
    const payloadOf = async (token: string) => {
      const where = { hash: new Uint8Array(hashCredential(token)) }
      return (await prisma().oAuthArtifact.findUniqueOrThrow({ where })).payload as Record<string, number>
    }
    const allowed = (token: string, ago: number) =>
      age(token, `payload = payload || '{"iiat": ${now() - ago}}'`)
    for (const app of [cli, web]) {
      const first = await newRefreshToken(app)
      await allowed(first, 2 * year - 3600)
      await age(first, `payload = payload || '{"iat": ${Math.floor(now() - 0.9 * year)}}'`)
      const { status, body } = await refresh(app, first)
      expect(status).toBe(200)
      const next = body.refresh_token as string
      const { exp, iiat = 0 } = await payloadOf(next)
      expect(exp).toBe(iiat + 2 * year)
      await allowed(next, 2 * year + 1)
      const refused = await refresh(app, next)
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant'])
    }
  })
})

describe('a revoked authorization', () => {
  it('leaves no token in the database, even if a parallel request is writing one', async () => {
    const token = await newRefreshToken(cli)
    const { rows } = await pool().query(
      'SELECT authorization_id AS id FROM oauth_artifacts WHERE hash = $1',
      [hashCredential(token)],
    )
    const rotating = await pool().connect()
    try {
      await rotating.query('BEGIN')
      await rotating.query('UPDATE oauth_artifacts SET consumed_at = now() WHERE hash = $1', [
        hashCredential(token),
      ])
      const revoked = revokeForReuse(rows[0].id)
      await expect.poll(() => lockWaits('^DELETE FROM oauth_artifacts'), { timeout: 15_000 }).toBe(1)
      await rotating.query(
        `INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, expires_at)
         VALUES (sha256('successor'), 'RefreshToken', $1, '{}', now() + interval '1 day')`,
        [rows[0].id],
      )
      await rotating.query('COMMIT')
      await revoked
    } finally {
      rotating.release()
    }
    expect(await prisma().oAuthArtifact.count({ where: { authorizationId: rows[0].id } })).toBe(0)
  })

  const ends: [string, (someone: Owner, clientId: string) => Promise<unknown>][] = [
    ['the deletion of its app', (someone, clientId) => deleteApp(sessionOf(someone), clientId)],
    [
      'the deletion of its app’s workspace',
      (someone) => deleteWorkspace(sessionOf(someone), someone.workspace.id),
    ],
    ['the app’s deregistration', (_, clientId) => deregister(clientId)],
    ['the takeover of an unverified account', (someone) => takeOver(someone)],
  ]

  it.each(ends)('leaves no token in the database after %s', async (_what, end) => {
    const someone = await makeOwner()
    const app = await someone.makeApp()
    await signInToApp(someone.browser, app, offline)
    const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
    expect(await prisma().oAuthArtifact.count({ where: { authorizationId: id } })).toBeGreaterThan(1)
    await end(someone, app.clientId)
    expect(await prisma().authorization.count({ where: { id } })).toBe(0)
    expect(await prisma().oAuthArtifact.count({ where: { authorizationId: id } })).toBe(0)
  })

  it('invalidates a token that remains in the database', async () => {
    const { body } = await signInToApp(owner.browser, web, offline)
    for (const token of [body.access_token, body.refresh_token]) {
      await pool().query('UPDATE oauth_artifacts SET authorization_id = $2 WHERE hash = $1', [
        hashCredential(token as string),
        crypto.randomUUID(),
      ])
    }
    expect((await userinfo(body.access_token as string)).status).toBe(401)
    expect((await refresh(web, body.refresh_token as string)).body.error).toBe('invalid_grant')
  })

  async function deregister(clientId: string) {
    await prisma().oAuthClient.update({ where: { id: clientId }, data: { source: 'DYNAMIC' } })
    await deleteClient(clientId)
  }

  /** Resets the password of an unverified account by email, as the owner of the address would. */
  async function takeOver({ user: { id: userId, email } }: Owner) {
    await prisma().user.update({ where: { id: userId }, data: { emailVerifiedAt: null } })
    const token = await prisma().$transaction((tx) =>
      mintEmailToken(tx, { purpose: 'RESET_PASSWORD', userId, email }),
    )
    await resetPassword({ ip: '192.0.2.7' }, { token, password: 'the owner chose this one' })
  }
})

describe('revocation without access', async () => {
  const providers = await startProviders()
  afterAll(() => providers.close())

  /** A token that is revoked while it is blocked must stay revoked afterwards (RFC 7009). */

  type User = { id: string }
  const suspended = ({ id }: User, yes: boolean) =>
    prisma().user.update({ where: { id }, data: { suspendedAt: yes ? new Date() : null } })

  /** Ways to block a user's authorization and to restore it. */
  const cutOffs: Record<string, (app: TestApp, user: User, yes: boolean) => Promise<unknown>> = {
    'because the app is in development': ({ clientId }, _, inDevelopment) =>
      prisma().oAuthClient.update({
        where: { id: clientId },
        data: { inDevelopment, version: { increment: 1 } },
      }),
    'because its user is suspended': (_, user, yes) => suspended(user, yes),
  }

  describe.each(Object.entries(cutOffs))('a user’s authorization that is blocked %s', (_, cutOff) => {
    async function signedIn() {
      const [app, user] = [await owner.makeApp(), await makeUser()]
      const { body } = await signInToApp(await signedInBrowser(user.id), app, offline)
      return { app, user, access: String(body.access_token), renewal: String(body.refresh_token) }
    }

    it('lets the app permanently revoke the access token alone, or the whole sign-in with the refresh token', async () => {
      const { app, user, access, renewal } = await signedIn()
      await cutOff(app, user, true)
      expect(await revoke(app, access)).toBe(200)
      await cutOff(app, user, false)
      expect((await userinfo(access)).status).toBe(401)
      const renewed = await refresh(app, renewal)
      expect(renewed.status).toBe(200)
      const next = String(renewed.body.refresh_token)
      await cutOff(app, user, true)
      expect(await revoke(app, next)).toBe(200)
      await cutOff(app, user, false)
      expect((await refresh(app, next)).body.error).toBe('invalid_grant')
      expect((await userinfo(String(renewed.body.access_token))).status).toBe(401)
    })

    it('cannot be revoked by another app', async () => {
      const { app, user, access, renewal } = await signedIn()
      const other = await owner.makeApp()
      await cutOff(app, user, true)
      for (const token of [access, renewal]) await revoke(other, token)
      await cutOff(app, user, false)
      expect((await userinfo(access)).status).toBe(200)
      expect((await refresh(app, renewal)).status).toBe(200)
    })
  })

  describe('a token without user consent', () => {
    it('stays revoked if its app revokes it while its installation is suspended, but another app cannot revoke it', async () => {
      const { app, admin, workspaceId, token } = await makeInstallationWorld(owner)
      const [one, two] = [await token(), await token()]
      await suspendInstallation(admin, workspaceId, app.clientId)
      expect(await revoke(app, one)).toBe(200)
      await revoke(await owner.makeApp(), two)
      await resumeInstallation(admin, workspaceId, app.clientId)
      expect((await queryApi(one, '{ currentToken { kind } }')).code).toBe('UNAUTHENTICATED')
      expect((await introspect(app, two)).active).toBe(true)
    })

    it('stays revoked if its app revokes it while its SSO-managed user is suspended', async () => {
      const { app, user, redeem, assertion } = await makeSsoWorkspace(await providers.make(), owner)
      const [one, two] = [await redeem(await assertion()), await redeem(await assertion())].map(({ body }) =>
        String(body.access_token),
      ) as [string, string]
      await suspended(user, true)
      expect(await revoke(app, one)).toBe(200)
      await suspended(user, false)
      expect((await introspect(app, one)).active).toBe(false)
      expect((await introspect(app, two)).active).toBe(true)
    })
  })
})
