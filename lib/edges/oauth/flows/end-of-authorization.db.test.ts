import { describe, expect, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { offline, refresh, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

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
      const revoked = pool().query('DELETE FROM authorizations WHERE id = $1', [rows[0].id])
      await expect.poll(() => waitsForLock('DELETE FROM authorizations'), { timeout: 15_000 }).toBe(true)
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

  it('is the end of a token that was left behind', async () => {
    const { body } = await signInToApp(owner.browser, web, offline)
    for (const token of [body.access_token, body.refresh_token]) {
      await pool().query('UPDATE oauth_artifacts SET authorization_id = gen_random_uuid() WHERE hash = $1', [
        hashCredential(token as string),
      ])
    }
    expect((await userinfo(body.access_token as string)).status).toBe(401)
    expect((await refresh(web, body.refresh_token as string)).body.error).toBe('invalid_grant')
  })

  const waitsForLock = async (statement: string) => {
    const { rowCount } = await pool().query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
      [`${statement}%`],
    )
    return rowCount === 1
  }
})
