import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { setProvider } from '@/lib/features/sso/identity-provider'
import { ssoProviderId } from '@/lib/features/sso/sso-connection'
import { joinWorkspace, makeUser, makeWorkspace, testPassword } from '@/lib/testing/factories'
import { cookiesOf, finishSignIn, startSignIn } from '@/lib/testing/own-provider'
import { makeSigner } from '@/lib/testing/sso-world'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'
import { answerSignInForm } from './answer-sign-in-forms'
import { startSsoSignIn } from './external-sign-in'

/** Users who sign in through an SSO connection. */
const signer = await makeSigner()
let outside: TlsServer
/** The claims that the provider returns next, and the request that it received. */
let says: Record<string, unknown>
/** Runs during the token request. */
let meanwhile: () => Promise<unknown>
let asked: { authorization: string | undefined; form: URLSearchParams }
let admin: { kind: 'session'; userId: string; sessionId: string; instanceAdmin: boolean }
let workspace: { id: string }
let domain: string

beforeAll(async () => {
  outside = await startOutsideServer(async (req, res) => {
    const body: Buffer[] = []
    for await (const chunk of req) body.push(chunk as Buffer)
    const issuer = outside.origin
    const answers: Record<string, () => Promise<object> | object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ['ES256'],
      }),
      '/keys': () => ({ keys: [signer.jwk] }),
      '/token': async () => {
        asked = {
          authorization: req.headers.authorization,
          form: new URLSearchParams(`${Buffer.concat(body)}`),
        }
        await meanwhile()
        return { access_token: 't', token_type: 'Bearer', id_token: await idToken() }
      },
    }
    const answer = answers[req.url ?? '']
    res.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    res.end(JSON.stringify((await answer?.()) ?? {}))
  })
})
afterAll(() => outside.close())

const idToken = () =>
  new SignJWT(JSON.parse(JSON.stringify({ iss: outside.origin, aud: 'latchkey', ...says })))
    .setProtectedHeader({ alg: signer.alg, kid: signer.jwk.kid })
    .setIssuedAt(says.iat as number | undefined)
    .setExpirationTime((says.exp as number | undefined) ?? '5m')
    .sign(signer.privateKey)

const set = (more: object = {}) =>
  setProvider(admin, workspace.id, {
    issuer: outside.origin,
    clientId: 'latchkey',
    clientSecret: 'a-secret',
    domain,
    ...more,
  })

beforeEach(async () => {
  meanwhile = async () => {}
  await prisma().rateLimit.deleteMany()
  domain = `${randomUUID()}.example.test`
  const ada = await makeUser({ email: `ada@${domain}` })
  workspace = await makeWorkspace([[ada, 'ADMIN']])
  const sessionId = await startSession({}, ada.id, ['pwd'])
  admin = { kind: 'session', userId: ada.id, sessionId, instanceAdmin: false }
  await set()
  const where = { workspaceId: workspace.id }
  await prisma().workspaceIdentityProvider.update({ where, data: { verifiedAt: new Date() } })
})

const post = (path: string, fields: Record<string, string>) =>
  new Request(`${config().BASE_URL}${path}`, {
    method: 'POST',
    headers: { origin: config().BASE_URL },
    body: new URLSearchParams(fields),
  })

/** Signs in with an email address and the given claims of the provider. */
async function signIn(claims: Record<string, unknown>, callback = ssoProviderId(workspace.id)) {
  const left = await startSsoSignIn(post('/login/sso/submit', { email: `x@${domain}`, next: '/account' }))
  const to = new URL(String(left.headers.get('location')))
  says = { nonce: to.searchParams.get('nonce'), ...claims }
  const back = new URL(`${config().BASE_URL}/api/auth/callback/${callback}`)
  back.search = `${new URLSearchParams({ code: 'a-code', state: String(to.searchParams.get('state')) })}`
  const answer = await finishSignIn(back.href, cookiesOf(left))
  const session = await sessionFromCookies(cookiesOf(answer), {})
  return { to, location: answer.headers.get('location'), userId: session?.actor.userId, session }
}

describe('a sign-in through SSO', () => {
  it('redirects to the email domain’s provider and signs in the member that the provider returns', async () => {
    const grace = await makeUser({ email: `grace@${domain}` })
    await joinWorkspace(workspace, grace, 'VIEWER')
    const { to, location, userId, session } = await signIn({ sub: '1', email: `Grace@${domain}` })
    expect(to.origin + to.pathname).toBe(`${outside.origin}/auth`)
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      client_id: 'latchkey',
      redirect_uri: `${config().BASE_URL}/api/auth/callback/sso-${workspace.id}`,
      code_challenge_method: 'S256',
      login_hint: `x@${domain}`,
    })
    expect([location, userId, session?.methods]).toEqual(['/account', grace.id, ['ext']])
    const where = { id: String(session?.actor.sessionId) }
    expect(await prisma().session.findUnique({ where })).toMatchObject({
      ssoWorkspaceId: workspace.id,
      ssoIssuer: outside.origin,
    })
    expect(asked.authorization).toBe(`Basic ${Buffer.from('latchkey:a-secret').toString('base64')}`)
    expect(asked.form.get('code_verifier')).toBeTruthy()
    // After the first sign-in, the subject identifies the user.
    await prisma().user.update({ where: { id: grace.id }, data: { email: `former@${domain}` } })
    expect((await signIn({ sub: '1', email: `grace@${domain}` })).userId).toBe(grace.id)
  })

  it('creates an account for a new user, but adds the user to the workspace only if its admins allow it', async () => {
    const first = await signIn({ sub: '1', email: `new@${domain}`, name: 'New User' })
    const member = (userId: string | undefined) =>
      prisma().workspaceMember.findFirst({ where: { workspaceId: workspace.id, userId: String(userId) } })
    expect(await prisma().user.findUnique({ where: { id: String(first.userId) } })).toMatchObject({
      name: 'New User',
      email: `new@${domain}`,
      emailVerifiedAt: expect.any(Date),
    })
    expect(await member(first.userId)).toBeNull()
    await set({ joinAs: 'VIEWER' })
    await signIn({ sub: '1', email: `new@${domain}` })
    expect(await member(first.userId)).toMatchObject({ role: 'VIEWER' })
    await set({ joinAs: 'MEMBER' })
    await signIn({ sub: '1', email: `new@${domain}` })
    expect(await member(first.userId)).toMatchObject({ role: 'VIEWER' })
    await expect(set({ joinAs: 'ADMIN' })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  const now = () => Math.floor(Date.now() / 1000)
  const refusals: [string, () => Record<string, unknown>][] = [
    ['an email address in another domain', () => ({ sub: '1', email: 'ada@elsewhere.example.test' })],
    ['an email address in a subdomain', () => ({ sub: '1', email: `ada@mail.${domain}` })],
    ['no email address', () => ({ sub: '1' })],
    ['an unverified email address', () => ({ sub: '1', email: `ada@${domain}`, email_verified: false })],
    ['an ID token of another sign-in', () => ({ sub: '1', email: `ada@${domain}`, nonce: 'another' })],
    [
      'an ID token from another issuer',
      () => ({ sub: '1', email: `ada@${domain}`, iss: 'https://elsewhere.test' }),
    ],
    ['an email address that contains a KELVIN SIGN', () => ({ sub: '1', email: `\u212Aate@${domain}` })],
    ['an empty subject', () => ({ sub: '', email: `ada@${domain}` })],
    ['a blank subject', () => ({ sub: ' ', email: `ada@${domain}` })],
    ['a subject of 256 characters', () => ({ sub: 'x'.repeat(256), email: `ada@${domain}` })],
    [
      'an ID token issued an hour from now',
      () => ({ sub: '1', email: `ada@${domain}`, iat: now() + 3600, exp: now() + 7200 }),
    ],
    ['an ID token that is not yet valid', () => ({ sub: '1', email: `ada@${domain}`, nbf: now() + 600 })],
    [
      'a sign-in at the provider in the future',
      () => ({ sub: '1', email: `ada@${domain}`, auth_time: now() + 600 }),
    ],
    ['an ID token for another party', () => ({ sub: '1', email: `ada@${domain}`, azp: 'another' })],
    ['an ID token for another client', () => ({ sub: '1', email: `ada@${domain}`, aud: 'another' })],
  ]
  it.each(refusals)('fails with %s', async (_title, claims) => {
    const { userId, location } = await signIn(claims())
    expect(userId).toBeUndefined()
    expect(location).toMatch(/^\/login\?error=(sso|failed)&next=%2Faccount$/)
  })

  it('fails if the provider is replaced during the sign-in', async () => {
    meanwhile = () => set({ issuer: 'https://elsewhere.test' })
    const { userId, location } = await signIn({ sub: '1', email: `ada@${domain}` })
    expect([userId, location]).toEqual([undefined, '/login?error=sso&next=%2Faccount'])
  })

  it('fails if the account’s email address is unverified or another subject already uses the account', async () => {
    const squatter = await makeUser({ email: `squatted@${domain}` })
    await prisma().user.update({ where: { id: squatter.id }, data: { emailVerifiedAt: null } })
    expect((await signIn({ sub: '1', email: `squatted@${domain}` })).location).toContain(
      'error=account_exists',
    )
    expect((await signIn({ sub: '2', email: `ada@${domain}` })).userId).toBe(admin.userId)
    expect((await signIn({ sub: '3', email: `ada@${domain}` })).location).toContain('error=account_exists')
  })

  it('fails at another provider’s callback URL and for an unverified domain', async () => {
    expect(
      (await signIn({ sub: '1', email: `ada@${domain}` }, ssoProviderId(randomUUID()))).userId,
    ).toBeUndefined()
    const where = { workspaceId: workspace.id }
    await prisma().workspaceIdentityProvider.update({ where, data: { verifiedAt: null } })
    const form = () => post('/login/sso/submit', { email: `ada@${domain}` })
    expect((await startSsoSignIn(form())).headers.get('location')).toBe('/login/sso?error=bad_user_input')
    const direct = await startSignIn('/', { id: ssoProviderId(workspace.id) })
    expect(direct.headers.get('location')).toBe('/login?error=provider')
  })
})

describe('required SSO', () => {
  const byPassword = async (email: string) =>
    (
      await answerSignInForm(post('/login/submit', { email, password: testPassword, next: '/account' }))
    ).headers.get('location')

  it('applies to members with an email address in the domain and signs out all of them but the admin who enables it', async () => {
    const [member, guest, externalUser] = [
      await makeUser({ email: `grace@${domain}` }),
      await makeUser(),
      await makeUser({ email: `stranger@${domain}` }),
    ]
    for (const user of [member, guest]) await joinWorkspace(workspace, user, 'MEMBER')
    const sessions = await Promise.all([member, guest].map(({ id }) => startSession({}, id, ['pwd'])))
    expect(await byPassword(member.email)).toBe('/account')
    await set({ requiresSso: true })
    const live = async (id: string | undefined) =>
      (await prisma().session.findUniqueOrThrow({ where: { id: String(id) } })).revokedAt === null
    expect([await live(sessions[0]), await live(sessions[1]), await live(admin.sessionId)]).toEqual([
      false,
      true,
      true,
    ])
    expect(await byPassword(member.email)).toBe('/login?error=forbidden&next=%2Faccount')
    expect(await byPassword(guest.email)).toBe('/account')
    expect(await byPassword(externalUser.email)).toBe('/account')
    expect((await signIn({ sub: '1', email: member.email })).userId).toBe(member.id)
    await set()
    expect(await byPassword(member.email)).toBe('/account')
  })

  it('does not apply to instance admins or after the domain verification has expired', async () => {
    const instanceAdmin = await makeUser({ email: `root@${domain}`, instanceAdmin: true })
    const member = await makeUser({ email: `grace@${domain}` })
    for (const user of [instanceAdmin, member]) await joinWorkspace(workspace, user, 'MEMBER')
    await set({ requiresSso: true })
    expect(await byPassword(instanceAdmin.email)).toBe('/account')
    expect(await byPassword(member.email)).toContain('error=forbidden')
    const where = { workspaceId: workspace.id }
    await prisma().workspaceIdentityProvider.update({ where, data: { verifiedAt: null } })
    expect(await byPassword(member.email)).toBe('/account')
  })
})
