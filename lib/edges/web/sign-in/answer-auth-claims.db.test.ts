import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { config, resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { makeUser } from '@/lib/testing/factories'
import { cookiesOf, finishSignIn, startSignIn } from '@/lib/testing/own-provider'
import { makeSigner } from '@/lib/testing/sso-world'

/** Users who sign in through an OpenID Connect issuer with configurable claims. */
const [signer, stranger] = [await makeSigner('RS256'), await makeSigner('RS256')]
const secret = 'GOCSPX-a_b~c.d/e f'
/**
 * The issuer's path on its host. At the root, its responses would be validated against this server's OpenAPI
 * description.
 */
const at = '/issuer'
let issuer: string
/** The claims of the issuer's next ID token, and the key that signs it. */
let says: Record<string, unknown>
let signs = signer
let userinfo: Record<string, unknown> | undefined
let metadata: Record<string, unknown>
let asked: { authorization: string | undefined; form: URLSearchParams }

const server = createServer(async (req, res) => {
  const body: Buffer[] = []
  for await (const chunk of req) body.push(chunk as Buffer)
  const answers: Record<string, () => Promise<object> | object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(userinfo ? { userinfo_endpoint: `${issuer}/me` } : {}),
      ...metadata,
    }),
    '/keys': () => ({ keys: [signer.jwk] }),
    '/me': () => userinfo ?? {},
    '/token': async () => {
      const form = new URLSearchParams(`${Buffer.concat(body)}`)
      asked = { authorization: req.headers.authorization, form }
      return { access_token: 't', token_type: 'Bearer', id_token: await idToken() }
    },
  }
  const answer = answers[(req.url ?? '').slice(at.length)]
  res.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
  res.end(JSON.stringify((await answer?.()) ?? {}))
})

const idToken = () =>
  new SignJWT(JSON.parse(JSON.stringify({ iss: issuer, aud: 'latchkey', ...says })))
    .setProtectedHeader({ alg: signs.alg, kid: signer.jwk.kid })
    .setIssuedAt(says.iat as number | undefined)
    .setExpirationTime((says.exp as number | undefined) ?? '5m')
    .sign(signs.privateKey)

function configure(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  resetConfig()
}

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${at}`
})
afterAll(() => server.close())
beforeEach(async () => {
  await prisma().rateLimit.deleteMany()
  vi.spyOn(log, 'warn').mockImplementation(() => {})
  signs = signer
  userinfo = undefined
  metadata = {}
  configure({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'latchkey', OIDC_CLIENT_SECRET: secret })
})
afterEach(() => {
  setChangedSettings({})
  vi.unstubAllEnvs()
  resetConfig()
  vi.restoreAllMocks()
})

/** Signs in through the issuer. @param more additional parameters of the issuer's response */
async function signIn(claims: Record<string, unknown>, more: Record<string, string> = {}) {
  const left = await startSignIn('/account')
  const to = new URL(String(left.headers.get('location')))
  says = { nonce: to.searchParams.get('nonce'), ...claims }
  const back = new URL(`${config().BASE_URL}/api/auth/callback/oidc`)
  back.search = `${new URLSearchParams({ code: 'a-code', state: String(to.searchParams.get('state')), ...more })}`
  const answer = await finishSignIn(back.href, cookiesOf(left))
  const session = await sessionFromCookies(cookiesOf(answer), {})
  return { location: answer.headers.get('location'), userId: session?.actor.userId }
}

const newEmail = () => `${randomUUID()}@example.test`
const verified = (email = newEmail()) => ({ sub: randomUUID(), email, email_verified: true, name: 'Ada' })

describe('a user whom an issuer signs in', () => {
  it('gets an account and is identified by the subject in later sign-ins', async () => {
    const claims = verified()
    const { userId, location } = await signIn(claims)
    expect(location).toBe('/account')
    expect(await prisma().user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject({
      name: 'Ada',
      email: claims.email,
      emailVerifiedAt: expect.any(Date),
    })
    expect((await signIn({ ...claims, email: newEmail() })).userId).toBe(userId)
    expect(asked.form.get('code_verifier')).toMatch(/^[\w-]{43}$/)
    const basic = Buffer.from('latchkey:GOCSPX-a_b~c.d%2Fe+f').toString('base64')
    expect(asked.authorization).toBe(`Basic ${basic}`)
  })

  it('gets no account if sign-up is closed, but can still use an existing account', async () => {
    const known = verified()
    const { userId } = await signIn(known)
    setChangedSettings({ signUp: 'closed' })
    expect((await signIn(known)).userId).toBe(userId)
    const claims = verified()
    expect(await signIn(claims)).toEqual({
      userId: undefined,
      location: '/login?error=sign_up_closed&next=%2Faccount',
    })
    expect(await prisma().user.count({ where: { email: claims.email } })).toBe(0)
  })

  it('gets no account without a verified email address', async () => {
    for (const more of [{ email_verified: false }, { email_verified: undefined }, { email: undefined }]) {
      const claims = { ...verified(), ...more }
      const refused = { userId: undefined, location: '/login?error=unverified_email&next=%2Faccount' }
      expect(await signIn(claims)).toEqual(refused)
      expect(await prisma().identity.count({ where: { subject: claims.sub } })).toBe(0)
    }
  })

  it('is signed in to an existing account only if this instance has verified the account’s email address', async () => {
    const user = await makeUser()
    expect((await signIn(verified(user.email))).userId).toBe(user.id)
    const other = await makeUser()
    await prisma().user.update({ where: { id: other.id }, data: { emailVerifiedAt: null } })
    const { userId, location } = await signIn(verified(other.email))
    expect([userId, location]).toEqual([undefined, '/login?error=account_exists&next=%2Faccount'])
  })

  it('gets the email address from UserInfo, whose subject must match the ID token', async () => {
    const { sub } = verified()
    const email = newEmail()
    userinfo = { sub, email, email_verified: true }
    const { userId } = await signIn({ sub })
    expect(await prisma().user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject({ email })
    userinfo = { sub: 'another', email, email_verified: true }
    expect(await signIn({ sub })).toEqual({
      userId: undefined,
      location: '/login?error=failed&next=%2Faccount',
    })
  })
})

describe('an issuer’s response', () => {
  const now = () => Math.floor(Date.now() / 1000)
  it.each<[string, () => Record<string, unknown>]>([
    ['with another sign-in’s nonce', () => ({ nonce: 'another' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['from another issuer', () => ({ iss: 'https://elsewhere.test' })],
    ['for another client', () => ({ aud: 'another' })],
    ['for another authorized party', () => ({ azp: 'another' })],
    ['with an empty subject', () => ({ sub: '' })],
    ['with a blank subject', () => ({ sub: ' ' })],
    ['with a subject of 256 characters', () => ({ sub: 'x'.repeat(256) })],
    ['that has expired', () => ({ iat: now() - 7200, exp: now() - 3600 })],
    ['issued an hour from now', () => ({ iat: now() + 3600, exp: now() + 7200 })],
    ['that is not yet valid', () => ({ nbf: now() + 600 })],
  ])('is rejected with an ID token %s', async (_title, claims) => {
    const { userId, location } = await signIn({ ...verified(), ...claims() })
    expect([userId, location]).toEqual([undefined, '/login?error=failed&next=%2Faccount'])
  })

  it('is rejected if another key signed its ID token, or if the metadata lists another algorithm', async () => {
    signs = stranger
    expect((await signIn(verified())).userId).toBeUndefined()
    signs = signer
    metadata = { id_token_signing_alg_values_supported: ['ES256'] }
    expect((await signIn(verified())).userId).toBeUndefined()
    metadata = { id_token_signing_alg_values_supported: ['ES256', 'RS256'] }
    expect((await signIn(verified())).userId).toBeDefined()
  })

  it('is rejected if it contains a different issuer, or no issuer although the metadata advertises one (RFC 9207)', async () => {
    expect((await signIn(verified(), { iss: 'https://elsewhere.test' })).userId).toBeUndefined()
    metadata = { authorization_response_iss_parameter_supported: true }
    expect((await signIn(verified())).userId).toBeUndefined()
    expect((await signIn(verified(), { iss: issuer })).userId).toBeDefined()
  })

  it('is accepted if no client secret is configured, and the token request then identifies the client only by its ID', async () => {
    configure({ OIDC_CLIENT_SECRET: '' })
    expect((await signIn(verified())).userId).toBeDefined()
    expect([asked.authorization, asked.form.get('client_id')]).toEqual([undefined, 'latchkey'])
  })
})
