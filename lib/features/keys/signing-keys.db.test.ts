import { createLocalJWKSet, createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { engineWithCurrentKeys } from '@/lib/edges/oauth/engine/provider'
import { signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { loadKeyRing, rotateKeys } from './signing-keys'

const { server, owner, web: app } = await startOAuthWorld()

const published = async () => {
  await engineWithCurrentKeys(0)
  const { keys } = (await (await server.fetch('/oauth/jwks')).json()) as { keys: Record<string, string>[] }
  return keys
}
const signer = async () => {
  const { body } = await signInToApp(owner.browser, app)
  return decodeProtectedHeader(body.id_token as string).kid
}

/** A time in the past. Stored times are rounded to milliseconds, so a stored now() can be in the future. */
const past = "now() - interval '1 millisecond'"

const rotate = (aheadSeconds: number, withdraw = false) =>
  rotateKeys({ aheadSeconds, withdraw, record: async () => undefined })

describe('signing keys', () => {
  it('include one key for each algorithm, even if several processes start together', async () => {
    await prisma().signingKey.deleteMany()
    const rings = await Promise.all(Array.from({ length: 5 }, loadKeyRing))
    expect(new Set(rings.map((ring) => ring.fingerprint)).size).toBe(1)
    expect(rings[0]?.keys.map((key) => key.alg)).toEqual(['RS256', 'ES256', 'EdDSA'])
  })

  it('are stored encrypted and published without their private part', async () => {
    const keys = await published()
    expect(keys).toHaveLength(3)
    for (const key of keys)
      expect(Object.keys(key).filter((name) => ['d', 'p', 'q'].includes(name))).toEqual([])
    const [row] = (await pool().query('SELECT * FROM signing_keys')).rows
    expect(JSON.stringify(row.public_jwk)).not.toContain('"d"')
    expect(row.sealed_private.toString('latin1')).not.toContain('"kty"')
  })

  it('are rotated with an overlap and without a restart', async () => {
    const before = await signer()
    const { kids } = await rotate(600)
    expect((await published()).map((key) => key.kid)).toEqual(expect.arrayContaining([...kids, before]))
    expect(await signer()).toBe(before)

    await pool().query(`UPDATE signing_keys SET signs_from = ${past} WHERE kid = ANY ($1)`, [kids])
    expect((await published()).map((key) => key.kid)).toContain(before)
    expect(kids).toContain(await signer())

    await pool().query(`UPDATE signing_keys SET expires_at = ${past} WHERE kid <> ALL ($1)`, [kids])
    expect((await published()).map((key) => key.kid).sort()).toEqual([...kids].sort())
  })

  it('are rotated without breaking clients that cache the key set and fetch it again only for an unknown key', async () => {
    let fetched = 0
    const keySet = createRemoteJWKSet(new URL('/oauth/jwks', config().BASE_URL), {
      cacheMaxAge: Number.POSITIVE_INFINITY,
      cooldownDuration: 0,
      [customFetch]: (url: string, options: object) => {
        fetched++
        return fetch(url, options)
      },
    })
    const signIn = async () => (await signInToApp(owner.browser, app)).body.id_token as string
    const verify = (token: string) =>
      jwtVerify(token, keySet, { issuer: `${config().BASE_URL}/oauth`, audience: app.clientId })

    await published()
    const old = await signIn()
    await verify(old)
    expect(fetched).toBe(1)

    const { kids } = await rotate(600)
    // A client that fetches the key set after the new keys are published does not have to fetch it again.
    const ahead = createLocalJWKSet({ keys: (await published()) as never })
    await verify(await signIn())
    expect(fetched).toBe(1)

    await pool().query(`UPDATE signing_keys SET signs_from = ${past} WHERE kid = ANY ($1)`, [kids])
    await engineWithCurrentKeys(0)
    const fresh = await signIn()
    await jwtVerify(fresh, ahead)
    await verify(fresh)
    expect(fetched).toBe(2)
    await verify(old)
    expect(fetched).toBe(2)
  })

  it('can be rotated again before the new keys start to sign, without keeping retired keys longer', async () => {
    const former = await signer()
    const announced = await rotate(30 * 86_400)
    const { kids } = await rotate(0)
    const keys = (await published()).map((key) => key.kid)
    expect(kids).toContain(await signer())
    expect(keys).toEqual(expect.arrayContaining([...kids, former]))
    for (const kid of announced.kids) expect(keys).not.toContain(kid)
    const { rows } = await pool().query(
      `SELECT expires_at < now() + interval '71 minutes' AS soon FROM signing_keys WHERE kid = $1`,
      [former],
    )
    expect(rows).toEqual([{ soon: true }])
    // The current keys stay published for more than an hour after the new keys start to sign.
    await rotate(600)
    await rotate(7200)
    const { rows: kept } = await pool().query(
      `SELECT DISTINCT expires_at > now() + interval '185 minutes' AS late FROM signing_keys WHERE kid = ANY ($1)`,
      [kids],
    )
    expect(kept).toEqual([{ late: true }])
    const { rows: still } = await pool().query(
      `SELECT expires_at < now() + interval '71 minutes' AS soon FROM signing_keys WHERE kid = $1`,
      [former],
    )
    expect(still).toEqual([{ soon: true }])
  })

  it('can be withdrawn after a leak, so that only the new keys are published', async () => {
    await rotate(600)
    const { kids } = await rotate(600, true)
    expect((await published()).map((key) => key.kid).sort()).toEqual([...kids].sort())
    expect(kids).toContain(await signer())
  })
})
