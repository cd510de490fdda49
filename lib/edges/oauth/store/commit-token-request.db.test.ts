import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { countStatements } from '@/lib/testing/count-statements'
import { offline, refresh, signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { withoutTimedWrites } from '@/lib/testing/timed-writes'
import { authorizationUse } from './commit-token-request'

const { owner, web } = await startOAuthWorld()

const stored = () =>
  prisma().authorization.findFirstOrThrow({
    where: { clientId: web.clientId },
    select: { signIns: true, lastUsedAt: true },
  })

it('the server records the use of an authorization in a later batch, not in the token request', async () => {
  const { value: tokens, statements } = await countStatements(async () => [
    await signInToApp(owner.browser, web, offline),
    await signInToApp(owner.browser, web, offline),
  ])
  expect(
    statements.filter((text) =>
      /^\s*(UPDATE|INSERT INTO) authorizations[\s\S]*(sign_ins|last_used_at)/.test(text),
    ),
  ).toEqual([])
  await authorizationUse.now()
  expect(await stored()).toEqual({ signIns: 2, lastUsedAt: expect.any(Date) })
  await pool().query(`UPDATE authorizations SET last_used_at = now() - interval '1 hour'`)
  await refresh(web, String(tokens[0]?.body.refresh_token))
  await authorizationUse.now()
  const { signIns, lastUsedAt } = await stored()
  expect(signIns).toBe(2)
  expect(Date.now() - Number(lastUsedAt)).toBeLessThan(60_000)
})

it('the refresh token limit counts sign-ins that are not yet written to the database', async () => {
  await prisma().authorization.updateMany({ where: { clientId: web.clientId }, data: { signIns: 98 } })
  const live = () => prisma().oAuthArtifact.count({ where: { model: 'RefreshToken', consumedAt: null } })
  const { rows } = await pool().query('SELECT id FROM authorizations WHERE client_id = $1', [web.clientId])
  await pool().query(
    `INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, created_at, expires_at)
     SELECT sha256(n::text::bytea), 'RefreshToken', $1, '{}', now() - interval '1 day', now() + interval '1 day'
       FROM generate_series(1, $2) n`,
    [rows[0].id, 98 - (await live())],
  )
  await withoutTimedWrites(async () => {
    for (let i = 0; i < 4; i++) await signInToApp(owner.browser, web, offline)
    expect(await live()).toBe(100)
  })
})
