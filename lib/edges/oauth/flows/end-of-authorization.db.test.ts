import { describe, expect, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { revokeForReuse } from '@/lib/features/apps/authorizations/revoke-authorization'
import { deleteApp } from '@/lib/features/apps/update-app'
import { mintEmailToken } from '@/lib/features/identity/email/email-tokens'
import { resetPassword } from '@/lib/features/identity/people/reset-password'
import { deleteWorkspace } from '@/lib/features/workspaces/delete-workspace'
import type { SessionActor } from '@/lib/policy/actor'
import { lockWaits } from '@/lib/testing/lock-waits'
import { offline, refresh, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, type Owner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { deleteClient } from '../store/clients'

const { owner, web, cli } = await startOAuthWorld()

describe('the end of an authorization', () => {
  it('takes along what a request was writing at that moment', async () => {
    const token = (await signInToApp(owner.browser, cli, offline)).body.refresh_token as string
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
    ['its app', (someone, clientId) => deleteApp(session(someone), clientId)],
    ['the workspace of its app', (someone) => deleteWorkspace(session(someone), someone.workspace.id)],
    ['its app by the app itself', (_, clientId) => deregister(clientId)],
    ['an account that was not proven', (someone) => takeOver(someone)],
  ]

  it.each(ends)('leaves no token in the database: by %s', async (_what, end) => {
    const someone = await makeOwner()
    const app = await someone.makeApp()
    await signInToApp(someone.browser, app, offline)
    const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
    expect(await prisma().oAuthArtifact.count({ where: { authorizationId: id } })).toBeGreaterThan(1)
    await end(someone, app.clientId)
    expect(await prisma().authorization.count({ where: { id } })).toBe(0)
    expect(await prisma().oAuthArtifact.count({ where: { authorizationId: id } })).toBe(0)
  })

  it('is the end of a token that was left behind', async () => {
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
})

const session = ({ person }: Owner): SessionActor => ({
  kind: 'session',
  userId: person.id,
  sessionId: crypto.randomUUID(),
  instanceAdmin: false,
})

async function deregister(clientId: string) {
  await prisma().oAuthClient.update({ where: { id: clientId }, data: { source: 'DYNAMIC' } })
  await deleteClient(clientId)
}

/** Somebody proves by mail whose address it is, and takes the account from whoever had signed up with it. */
async function takeOver({ person: { id: userId, email } }: Owner) {
  await prisma().user.update({ where: { id: userId }, data: { emailVerifiedAt: null } })
  const token = await prisma().$transaction((tx) =>
    mintEmailToken(tx, { purpose: 'RESET_PASSWORD', userId, email }),
  )
  await resetPassword({ ip: '192.0.2.7' }, { token, password: 'the owner chose this one' })
}
