import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import type { assertionRefusals } from '@/lib/features/company-access/assertion'
import { makeCompany, refusedFor, startProviders } from '@/lib/testing/company-world'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

/** What is asked of an assertion of a company's provider before it is good for a token. */
const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())

async function world() {
  return makeCompany(await providers.make(), vendor)
}

describe('an assertion of a company’s provider', () => {
  it('is redeemed for an access token of its workspace, and for nothing else', async () => {
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
    ['of no type', {}, { typ: undefined }, 'typ'],
    ['of an issuer that nobody set', { iss: 'https://elsewhere.example.test' }, {}, 'issuer'],
    ['without an issuer', { iss: undefined }, {}, 'issuer'],
    ['for another server', { aud: 'https://elsewhere.example.test' }, {}, 'audience'],
    ['for the token endpoint', { aud: `${config().BASE_URL}/oauth/token` }, {}, 'audience'],
    ['for us and another', { aud: [`${config().BASE_URL}/oauth`, 'https://elsewhere.test'] }, {}, 'audience'],
    ['for nobody', { aud: undefined }, {}, 'audience'],
    ['of another client', { client_id: 'another' }, {}, 'client'],
    ['of no client', { client_id: undefined }, {}, 'client'],
    ['about nobody', { sub: undefined }, {}, 'subject'],
    ['about an empty subject', { sub: '' }, {}, 'subject'],
    ['about a blank subject', { sub: '  ' }, {}, 'subject'],
    ['about a subject that is a number', { sub: 7 }, {}, 'subject'],
    ['about a subject of 256 characters', { sub: 'x'.repeat(256) }, {}, 'subject'],
    ['about a subject outside ASCII', { sub: '\u212A1' }, {}, 'subject'],
    ['without an id', { jti: undefined }, {}, 'id'],
    ['without an end', { exp: undefined }, {}, 'times'],
    ['without a beginning', { iat: undefined }, {}, 'times'],
    ['that has ended', { iat: now() - 900, exp: now() - 600 }, {}, 'expired'],
    ['from the future', { iat: now() + 600, exp: now() + 900 }, {}, 'early'],
    ['signed in there in the future', { auth_time: now() + 600 }, {}, 'early'],
    ['signed in there at no time', { auth_time: 'today' }, {}, 'times'],
    ['that ends before it begins', { iat: now() + 30, exp: now() + 10 }, {}, 'times'],
    ['that does not count yet', { nbf: now() + 600 }, {}, 'early'],
    ['that lives for a day', { exp: now() + 86_400 }, {}, 'long-lived'],
    ['for a resource of somebody else', { resource: 'https://elsewhere.test/mcp' }, {}, 'resource'],
    ['for ours and another’s', { resource: [`${config().BASE_URL}/mcp`, 'https://a.test/'] }, {}, 'resource'],
    ['for what is no resource', { resource: 7 }, {}, 'resource'],
    ['with a scope that is none', { scope: ['workspace:member'] }, {}, 'scope'],
    ['bound to a key that nobody shows', { cnf: { jkt: 'thumbprint' } }, {}, 'proof'],
    ['bound in a way that is unknown', { cnf: { kid: 'a key' } }, {}, 'proof'],
    ['about an address outside', { email: 'grace@elsewhere.example.test' }, {}, 'address-outside'],
    ['about an address below the domain', { email: 'grace@mail.DOMAIN' }, {}, 'address-outside'],
    ['about an address with a KELVIN SIGN', { email: '\u212Aate@DOMAIN' }, {}, 'address-outside'],
    ['about what is no address', { email: 'grace' }, {}, 'address-outside'],
    ['about what is no address, in the domain', { email: 'a\0b@DOMAIN' }, {}, 'address-outside'],
    ['about an address it did not verify', { email_verified: false }, {}, 'address-unverified'],
    ['about a person who is unknown here', { email: 'nobody@DOMAIN', sub: randomUUID() }, {}, 'unknown'],
    ['about a subject without an address', { email: undefined }, {}, 'unknown'],
  ]
  it.each(wrong)('%s is refused', async (_title, changes, header, why) => {
    const { redeem, assertion, domain } = await world()
    const named = JSON.parse(JSON.stringify(changes).replaceAll('DOMAIN', domain))
    for (const name of Object.keys(changes)) named[name] ??= undefined
    const sent = await assertion(named, header)
    expect(await redeem(sent)).toMatchObject(refusedFor(why))
  })

  it('is no JWT at all: refused, or nothing to refuse', async () => {
    const { redeem } = await world()
    for (const sent of ['x', 'a.b.c', `${'a'.repeat(9)}.e30.`]) {
      expect(await redeem(sent), sent).toMatchObject(refusedFor('malformed'))
    }
    expect((await redeem('')).body.error).toBe('invalid_request')
  })

  it('is good once, also where two requests bring it at the same time', async () => {
    const { redeem, assertion } = await world()
    const sent = await assertion()
    const answers = await Promise.all([redeem(sent), redeem(sent), redeem(sent)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await redeem(sent)).toMatchObject(refusedFor('used'))
  })

  it('uses up no id of another issuer', async () => {
    const [one, other] = [await world(), await world()]
    const jti = randomUUID()
    expect((await one.redeem(await one.assertion({ jti }))).status).toBe(200)
    expect((await other.redeem(await other.assertion({ jti }))).status).toBe(200)
  })

  it('is for the resource that is asked for, of those that the provider names', async () => {
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

  it('gives the least of what the provider says, what is asked for and what an admin allows', async () => {
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
