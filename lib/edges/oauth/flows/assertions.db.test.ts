import { randomUUID } from 'node:crypto'
import { exportSPKI, importJWK, SignJWT } from 'jose'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import type { assertionRefusals } from '@/lib/features/sso/assertion'
import { introspect } from '@/lib/testing/app-requests'
import { joinWorkspace, makeUser } from '@/lib/testing/factories'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeSigner, makeSsoWorkspace, refusedFor, startProviders } from '@/lib/testing/sso-world'

const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())

/** Creates a workspace with an SSO-managed app. @param provider its identity provider. Default: a new one */
async function world(provider?: Awaited<ReturnType<typeof providers.make>>) {
  const used = provider ?? (await providers.make())
  return { provider: used, ...(await makeSsoWorkspace(used, vendor)) }
}
type World = Awaited<ReturnType<typeof world>>

describe('an SSO assertion', () => {
  it('is exchanged for an access token, without a refresh token or an ID token', async () => {
    const { redeem, assertion } = await world()
    const { status, body, headers } = await redeem(await assertion())
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      access_token: expect.stringMatching(/^lk_mgd_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'workspace:member',
      resource: `${config().BASE_URL}/mcp`,
    })
  })

  const now = () => Math.floor(Date.now() / 1000)
  const wrong: [string, object, object, keyof typeof assertionRefusals][] = [
    ['of another type', {}, { typ: 'JWT' }, 'typ'],
    ['without a type', {}, { typ: undefined }, 'typ'],
    ['of an unknown issuer', { iss: 'https://elsewhere.example.test' }, {}, 'issuer'],
    ['without an issuer', { iss: undefined }, {}, 'issuer'],
    ['for another server', { aud: 'https://elsewhere.example.test' }, {}, 'audience'],
    ['for the token endpoint', { aud: `${config().BASE_URL}/oauth/token` }, {}, 'audience'],
    [
      'for this server and another one',
      { aud: [`${config().BASE_URL}/oauth`, 'https://elsewhere.test'] },
      {},
      'audience',
    ],
    ['without an audience', { aud: undefined }, {}, 'audience'],
    ['of another client', { client_id: 'another' }, {}, 'client'],
    ['without a client', { client_id: undefined }, {}, 'client'],
    ['without a subject', { sub: undefined }, {}, 'subject'],
    ['with an empty subject', { sub: '' }, {}, 'subject'],
    ['with a blank subject', { sub: '  ' }, {}, 'subject'],
    ['with a number as the subject', { sub: 7 }, {}, 'subject'],
    ['with a subject of 256 characters', { sub: 'x'.repeat(256) }, {}, 'subject'],
    ['with a non-ASCII subject', { sub: '\u212A1' }, {}, 'subject'],
    ['without an ID', { jti: undefined }, {}, 'id'],
    ['without an expiry', { exp: undefined }, {}, 'times'],
    ['without an issue time', { iat: undefined }, {}, 'times'],
    ['that has expired', { iat: now() - 900, exp: now() - 600 }, {}, 'expired'],
    ['from the future', { iat: now() + 600, exp: now() + 900 }, {}, 'early'],
    ['with an auth_time in the future', { auth_time: now() + 600 }, {}, 'early'],
    ['with an invalid auth_time', { auth_time: 'today' }, {}, 'times'],
    ['that expires before it is issued', { iat: now() + 30, exp: now() + 10 }, {}, 'times'],
    ['that is not valid yet', { nbf: now() + 600 }, {}, 'early'],
    ['that is valid for a day', { exp: now() + 86_400 }, {}, 'long-lived'],
    ['for a resource of another service', { resource: 'https://elsewhere.test/mcp' }, {}, 'resource'],
    [
      'for a resource of this service and one of another',
      { resource: [`${config().BASE_URL}/mcp`, 'https://a.test/'] },
      {},
      'resource',
    ],
    ['with an invalid resource', { resource: 7 }, {}, 'resource'],
    ['with an invalid scope', { scope: ['workspace:member'] }, {}, 'scope'],
    ['bound to a key without a proof', { cnf: { jkt: 'thumbprint' } }, {}, 'proof'],
    ['with an unknown confirmation method', { cnf: { kid: 'a key' } }, {}, 'proof'],
    [
      'about an email address in another domain',
      { email: 'grace@elsewhere.example.test' },
      {},
      'address-outside',
    ],
    ['with an email address in a subdomain', { email: 'grace@mail.DOMAIN' }, {}, 'address-outside'],
    ['with a KELVIN SIGN in the email address', { email: '\u212Aate@DOMAIN' }, {}, 'address-outside'],
    ['with an email claim that is not an email address', { email: 'grace' }, {}, 'address-outside'],
    ['with an invalid email address in the domain', { email: 'a\0b@DOMAIN' }, {}, 'address-outside'],
    ['with an unverified email address', { email_verified: false }, {}, 'address-unverified'],
    ['for an unknown user', { email: 'unknown@DOMAIN', sub: randomUUID() }, {}, 'unknown'],
    ['without an email address for an unknown subject', { email: undefined }, {}, 'unknown'],
  ]
  it.each(wrong)('%s is rejected', async (_title, changes, header, why) => {
    const { redeem, assertion, domain } = await world()
    const named = JSON.parse(JSON.stringify(changes).replaceAll('DOMAIN', domain))
    for (const name of Object.keys(changes)) named[name] ??= undefined
    const sent = await assertion(named, header)
    expect(await redeem(sent)).toMatchObject(refusedFor(why))
  })

  it('is rejected if it is not a JWT', async () => {
    const { redeem } = await world()
    for (const sent of ['x', 'a.b.c', `${'a'.repeat(9)}.e30.`]) {
      expect(await redeem(sent), sent).toMatchObject(refusedFor('malformed'))
    }
    expect((await redeem('')).body.error).toBe('invalid_request')
  })

  it('is accepted only once, even in parallel requests', async () => {
    const { redeem, assertion } = await world()
    const sent = await assertion()
    const answers = await Promise.all([redeem(sent), redeem(sent), redeem(sent)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await redeem(sent)).toMatchObject(refusedFor('used'))
  })

  it('is accepted even if another issuer has used the same ID', async () => {
    const [one, other] = [await world(), await world()]
    const jti = randomUUID()
    expect((await one.redeem(await one.assertion({ jti }))).status).toBe(200)
    expect((await other.redeem(await other.assertion({ jti }))).status).toBe(200)
  })

  it('is exchanged for a token for the requested resource only if the assertion allows that resource', async () => {
    const { redeem, assertion } = await world()
    const base = config().BASE_URL
    const both = { resource: [`${base}/mcp/`, `${base}/graphql/v2`] }
    const aud = async (changes: object, fields: Record<string, string> = {}) => {
      const { body } = await redeem(await assertion(changes), fields)
      return body.resource ?? body.error
    }
    expect(await aud(both)).toBe(`${base}/mcp`)
    expect(await aud(both, { resource: `${base}/graphql/v2` })).toBe(`${base}/graphql/v2`)
    expect(await aud({}, { resource: `${base}/graphql/v2` })).toBe('invalid_target')
    expect(await aud({ resource: undefined })).toBe(base)
    expect(await aud({ resource: undefined }, { resource: 'https://elsewhere.test/' })).toBe('invalid_target')
  })

  it('grants only scopes that the identity provider, the request, and the admin all allow', async () => {
    const { redeem, assertion, allow } = await world()
    const scope = async (said: string | undefined, asked?: string) => {
      const { body } = await redeem(await assertion({ scope: said }), asked ? { scope: asked } : {})
      return body.error ?? body.scope
    }
    expect(await scope('workspace:admin openid offline_access ssh_keys')).toBe('workspace:member')
    expect(await scope('workspace:viewer')).toBe('workspace:viewer')
    expect(await scope('workspace:member', 'workspace:admin')).toBe('workspace:member')
    expect(await scope('workspace:member', 'workspace:viewer')).toBe('workspace:viewer')
    expect(await scope('workspace:viewer', 'workspace:member')).toBe('workspace:viewer')
    expect(await scope('email')).toBe('invalid_scope')
    expect(await scope(undefined, 'notifications')).toBe('invalid_scope')
    await allow(['workspace:viewer'])
    expect(await scope(undefined)).toBe('workspace:viewer')
    expect(await scope('workspace:admin')).toBe('workspace:viewer')
  })
})

describe('the signature of an assertion', () => {
  afterEach(() => vi.restoreAllMocks())

  it('must be created with the issuer’s key, not with another key that has the same ID', async () => {
    const { redeem, assertion, provider } = await world()
    const stranger = await makeSigner('ES256', provider.signer.jwk.kid)
    expect(await redeem(await assertion({}, {}, stranger))).toMatchObject(refusedFor('signature'))
    const unknown = await makeSigner()
    expect(await redeem(await assertion({}, {}, unknown))).toMatchObject(refusedFor('key'))
  })

  it('cannot be missing or be an HMAC with the public key as its secret', async () => {
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

  it('must be created with one of the issuer’s keys, not with a key in the assertion', async () => {
    const { redeem, assertion } = await world()
    const own = await makeSigner()
    const sent = await assertion({}, { jwk: own.jwk, jku: 'https://elsewhere.test/keys' }, own)
    expect(await redeem(sent)).toMatchObject(refusedFor('key'))
  })

  it.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('can use %s', async (alg) => {
    const { redeem, assertion, provider } = await world()
    const signer = await makeSigner(alg)
    provider.at.keys = [signer.jwk]
    expect((await redeem(await assertion({}, {}, signer))).status).toBe(200)
  })

  it('can use a new key only after the server fetches the key set again', async () => {
    const { redeem, assertion, provider } = await world()
    expect((await redeem(await assertion())).status).toBe(200)
    expect((await redeem(await assertion())).status).toBe(200)
    expect(provider.at.reads).toBe(1)
    const next = await makeSigner()
    provider.at.keys = [next.jwk]
    // Shortly after a fetch, the key set is not fetched again.
    for (let i = 0; i < 3; i++) expect((await redeem(await assertion({}, {}, next))).status).toBe(400)
    expect(provider.at.reads).toBe(1)
    forgetKeys()
    expect((await redeem(await assertion({}, {}, next))).status).toBe(200)
    expect(await redeem(await assertion())).toMatchObject(refusedFor('key'))
  })

  it('is rejected if the issuer’s keys are unavailable, or the issuer’s metadata names a different issuer', async () => {
    const { redeem, assertion, provider } = await world()
    const { metadata } = provider.at
    provider.at.metadata = { ...metadata, issuer: 'https://elsewhere.example.test' }
    expect(await redeem(await assertion())).toMatchObject(refusedFor('keys-unreadable'))
    forgetKeys()
    provider.at.metadata = { ...metadata, jwks_uri: 'https://10.0.0.1/keys' }
    expect(await redeem(await assertion())).toMatchObject(refusedFor('keys-unreadable'))
    provider.at.metadata = metadata
    // The server waits half a minute before it tries to fetch the keys again.
    expect(await redeem(await assertion())).toMatchObject(refusedFor('keys-unreadable'))
    expect(provider.at.reads).toBe(0)
    const { now } = performance
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 31_000)
    expect((await redeem(await assertion())).status).toBe(200)
  })

  /** Clears the cached keys, as if they had expired. */
  function forgetKeys() {
    const store = (globalThis as { __latchkey?: Map<string, unknown> }).__latchkey
    ;(store?.get('keys of identity providers') as Map<string, unknown> | undefined)?.clear()
  }
})

describe('subjects of assertions', () => {
  /** Returns the user of the app's token, as introspection reports it. */
  async function meant({ app, redeem }: World, assertion: string): Promise<unknown> {
    const { access_token: token } = (await redeem(assertion)).body
    return token ? (await introspect(app, token)).sub : 'none'
  }

  describe('the client of an assertion', () => {
    it('gets unsupported_grant_type unless an admin allowed the app', async () => {
      const { assertion, redeem, app, workspaceId } = await world()
      const plain = await vendor.makeApp()
      const cli = await vendor.makeApp(native)
      for (const each of [plain, cli]) {
        const { status, body } = await redeem(await assertion({ client_id: each.clientId }), {}, each)
        expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
      }
      await prisma().managedApp.deleteMany({ where: { workspaceId, clientId: app.clientId } })
      expect((await redeem(await assertion())).body.error).toBe('unsupported_grant_type')
    })

    it('must authenticate as the client that the assertion names', async () => {
      const [one, other] = [await world(), await world()]
      const sent = await one.assertion()
      expect(await other.redeem(sent)).toMatchObject(refusedFor('client'))
      const wrong = { ...one.app, secret: 'lk_cs_no' }
      expect((await one.redeem(sent, {}, wrong)).body.error).toBe('invalid_client')
      expect((await one.redeem(sent, {}, { ...one.app, secret: undefined })).body.error).toBe(
        'invalid_client',
      )
      expect((await one.redeem(sent)).status).toBe(200)
    })

    it('must be allowed by the user’s workspace, even if another workspace allows it', async () => {
      const [one, other] = [await world(), await world()]
      await other.allow(['workspace:admin'], one.app.clientId)
      await prisma().managedApp.deleteMany({ where: { workspaceId: one.workspaceId } })
      expect(await one.redeem(await one.assertion())).toMatchObject(refusedFor('not-allowed'))
    })
  })

  describe('the user of an assertion', () => {
    it('stays the same for a subject, even if the email address belongs to another user later', async () => {
      const here = await world()
      const { redeem, assertion, user, owner, domain } = here
      expect((await redeem(await assertion())).status).toBe(200)
      await prisma().user.update({ where: { id: user.id }, data: { email: `former@${domain}` } })
      const newcomer = await makeUser({ email: `grace@${domain}` })
      await joinWorkspace(owner.workspace, newcomer, 'ADMIN')
      expect(await meant(here, await assertion())).toBe(user.id)
      expect(await meant(here, await assertion({ sub: randomUUID() }))).toBe(newcomer.id)
      expect(await redeem(await assertion({ sub: randomUUID() }))).toMatchObject(refusedFor('changed'))
    })

    it('cannot be an instance admin or have an email address outside the workspace’s domain', async () => {
      const { redeem, assertion, user, domain } = await world()
      const set = (data: object) => prisma().user.update({ where: { id: user.id }, data })
      await set({ instanceAdmin: true })
      expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
      await set({ instanceAdmin: false })
      expect((await redeem(await assertion())).status).toBe(200)
      await set({ instanceAdmin: true })
      expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
      await set({ instanceAdmin: false, email: `${randomUUID()}@elsewhere.example.test` })
      expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
      expect(await redeem(await assertion({ email: undefined }))).toMatchObject(refusedFor('unknown'))
      await set({ email: `again@${domain}` })
      expect((await redeem(await assertion({ email: undefined }))).status).toBe(200)
    })

    it('cannot be identified if the tenant differs from the tenant of the first accepted assertion', async () => {
      const here = await world()
      const { assertion, user, owner, domain } = here
      const other = await makeUser({ email: `ada@${domain}` })
      await joinWorkspace(owner.workspace, other, 'VIEWER')
      const vouched = { email_verified: true }
      expect(await meant(here, await assertion({ tenant: 'one', sub: '1', ...vouched }))).toBe(user.id)
      for (const tenant of ['two', '%', undefined]) {
        const stranger = await assertion({ tenant, sub: '1', email: other.email, ...vouched })
        expect(await here.redeem(stranger)).toMatchObject(refusedFor('tenant'))
      }
      const colleague = { tid: 'one', sub: '2', email: other.email, ...vouched }
      expect(await meant(here, await assertion(colleague))).toBe(other.id)
    })

    it.each(['tenant', 'tid'])(
      'cannot be identified for the first time by an email address that an issuer with several tenants (%s) has not verified',
      async (claim) => {
        const here = await world()
        const { assertion, user } = here
        expect(await here.redeem(await assertion({ [claim]: 'one' }))).toMatchObject(
          refusedFor('address-unverified'),
        )
        expect(await meant(here, await assertion({ [claim]: 'one', email_verified: true }))).toBe(user.id)
        expect(await meant(here, await assertion({ [claim]: 'one' }))).toBe(user.id)
      },
    )

    it('must have a verified email address, be a member of the workspace, and not be suspended', async () => {
      const { redeem, assertion, user, workspaceId } = await world()
      const set = (data: object) => prisma().user.update({ where: { id: user.id }, data })
      await set({ emailVerifiedAt: null })
      expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
      await set({ emailVerifiedAt: new Date(), suspendedAt: new Date() })
      expect(await redeem(await assertion())).toMatchObject(refusedFor('outside'))
      await set({ suspendedAt: null })
      await prisma().workspaceMember.deleteMany({ where: { workspaceId, userId: user.id } })
      expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
    })

    it('is looked up in the workspace that has the email domain if several workspaces share an issuer', async () => {
      const provider = await providers.make()
      const [one, other] = [await world(provider), await world(provider)]
      await other.allow(['workspace:member'], one.app.clientId)
      const says = async (changes: object) => meant(one, await one.assertion(changes))
      expect(await says({})).toBe(one.user.id)
      expect(await says({ email: other.user.email, sub: other.subject })).toBe(other.user.id)
      // If the subject is known, no email address is needed.
      expect(await says({ email: undefined, sub: other.subject })).toBe(other.user.id)
    })

    it('cannot be identified while the workspace’s email domain is not verified', async () => {
      const { redeem, assertion, workspaceId } = await world()
      await prisma().workspaceIdentityProvider.update({ where: { workspaceId }, data: { verifiedAt: null } })
      expect(await redeem(await assertion())).toMatchObject(refusedFor('issuer'))
    })
  })
})
