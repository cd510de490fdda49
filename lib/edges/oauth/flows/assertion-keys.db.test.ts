import { exportSPKI, importJWK, SignJWT } from 'jose'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { makeCompany, makeSigner, refusedFor, startProviders } from '@/lib/testing/company-world'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

/** By which keys an assertion of a company's provider may be signed. */
const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())
afterEach(() => vi.restoreAllMocks())

async function world() {
  const provider = await providers.make()
  return { provider, ...(await makeCompany(provider, vendor)) }
}

describe('the signature of an assertion', () => {
  it('is by the issuer’s key, and by no other that calls itself so', async () => {
    const { redeem, assertion, provider } = await world()
    const stranger = await makeSigner('ES256', provider.signer.jwk.kid)
    expect(await redeem(await assertion({}, {}, stranger))).toMatchObject(refusedFor('signature'))
    const unknown = await makeSigner()
    expect(await redeem(await assertion({}, {}, unknown))).toMatchObject(refusedFor('key'))
  })

  it('is neither none nor by a public key taken for a secret', async () => {
    const { redeem, sound, provider } = await world()
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const unsigned = `${encode({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${encode(sound())}.`
    expect(await redeem(unsigned)).toMatchObject(refusedFor('algorithm'))
    const rsa = await makeSigner('RS256')
    provider.at.keys = [rsa.jwk]
    const spki = await exportSPKI((await importJWK(rsa.jwk, 'RS256', { extractable: true })) as CryptoKey)
    for (const secret of [Buffer.from(spki), Buffer.from(JSON.stringify(rsa.jwk))]) {
      const forged = await new SignJWT(sound())
        .setProtectedHeader({ alg: 'HS256', kid: rsa.jwk.kid, typ: 'oauth-id-jag+jwt' })
        .sign(secret)
      expect(await redeem(forged)).toMatchObject(refusedFor('algorithm'))
    }
  })

  it('is by a key of the issuer, not by one that the assertion brings along', async () => {
    const { redeem, assertion } = await world()
    const own = await makeSigner()
    const sent = await assertion({}, { jwk: own.jwk, jku: 'https://elsewhere.test/keys' }, own)
    expect(await redeem(sent)).toMatchObject(refusedFor('key'))
  })

  it.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('may be %s', async (alg) => {
    const { redeem, assertion, provider } = await world()
    const signer = await makeSigner(alg)
    provider.at.keys = [signer.jwk]
    expect((await redeem(await assertion({}, {}, signer))).status).toBe(200)
  })

  it('by a new key counts after the set was read again, which is not done for every key that nobody has', async () => {
    const { redeem, assertion, provider } = await world()
    expect((await redeem(await assertion())).status).toBe(200)
    expect((await redeem(await assertion())).status).toBe(200)
    expect(provider.at.reads).toBe(1)
    const next = await makeSigner()
    provider.at.keys = [next.jwk]
    // Within moments of the last look nobody makes us look again.
    for (let i = 0; i < 3; i++) expect((await redeem(await assertion({}, {}, next))).status).toBe(400)
    expect(provider.at.reads).toBe(1)
    forgetKeys()
    expect((await redeem(await assertion({}, {}, next))).status).toBe(200)
    expect(await redeem(await assertion())).toMatchObject(refusedFor('key'))
  })

  it('cannot be checked while the issuer’s keys are away, or its metadata is another’s', async () => {
    const { redeem, assertion, provider } = await world()
    const { metadata } = provider.at
    provider.at.metadata = { ...metadata, issuer: 'https://elsewhere.example.test' }
    expect(await redeem(await assertion())).toMatchObject(refusedFor('keys-unreadable'))
    forgetKeys()
    provider.at.metadata = { ...metadata, jwks_uri: 'https://10.0.0.1/keys' }
    expect(await redeem(await assertion())).toMatchObject(refusedFor('keys-unreadable'))
    provider.at.metadata = metadata
    // Nobody makes us ask again within moments, and nobody is kept out for longer.
    expect(await redeem(await assertion())).toMatchObject(refusedFor('keys-unreadable'))
    expect(provider.at.reads).toBe(0)
    const { now } = performance
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 31_000)
    expect((await redeem(await assertion())).status).toBe(200)
  })
})

/** As time does. */
function forgetKeys() {
  const store = (globalThis as { __latchkey?: Map<string, unknown> }).__latchkey
  ;(store?.get('keys of identity providers') as Map<string, unknown> | undefined)?.clear()
}
