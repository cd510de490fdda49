import { expect, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { offline, refresh, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()

const newRefreshToken = async (app: TestApp) =>
  (await signInToApp(owner.browser, app, offline)).body.refresh_token as string

/** Lets a stored token look older. */
const age = (token: string, change: string) =>
  pool().query(`UPDATE oauth_artifacts SET ${change} WHERE hash = $1`, [hashCredential(token)])

it('m7: a refresh token comes to an end two years after the person allowed it, however often it is used', async () => {
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
