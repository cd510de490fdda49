import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { authorizationCodeGrant } from 'openid-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { githubProfile, openidProfile, signInProviders } from './sign-in-providers'

const secret = 'GOCSPX-a_b~c.d/e f'

beforeEach(() => {
  for (const name of ['GITHUB', 'GOOGLE', 'OIDC']) {
    vi.stubEnv(`${name}_CLIENT_ID`, 'Iv1.app-1_x')
    vi.stubEnv(`${name}_CLIENT_SECRET`, secret)
  }
  vi.stubEnv('OIDC_ISSUER', 'https://id.example')
  resetConfig()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  resetConfig()
})

const providerOf = (id: string) =>
  signInProviders().find((one) => one.id === id) as ReturnType<typeof signInProviders>[number]

/** Answers every outgoing request with a function's result. @returns the requests */
function answerWith(answer: (url: URL) => Response): Request[] {
  const asked: Request[] = []
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
    const request = new Request(...args)
    asked.push(request)
    return answer(new URL(request.url))
  })
  return asked
}

describe('client authentication at a provider', () => {
  it.each(['github', 'google', 'oidc'])(
    'encodes only reserved characters in the client ID and secret for %s',
    async (id) => {
      const asked = answerWith(({ origin, pathname }) =>
        pathname === '/.well-known/openid-configuration'
          ? Response.json({ issuer: origin, token_endpoint: `${origin}/token` })
          : Response.json({ error: 'invalid_grant' }, { status: 400 }),
      )
      const client = await providerOf(id).configure()
      const back = new URL('https://here.example/callback?code=c&state=s')
      const grant = authorizationCodeGrant(client, back, {
        expectedState: 's',
        pkceCodeVerifier: 'v'.repeat(43),
      })
      await expect(grant).rejects.toMatchObject({ error: 'invalid_grant' })
      const [scheme, credentials] = asked.at(-1)?.headers.get('authorization')?.split(' ') ?? []
      expect(scheme).toBe('Basic')
      expect(Buffer.from(credentials ?? '', 'base64').toString()).toBe('Iv1.app-1_x:GOCSPX-a_b~c.d%2Fe+f')
    },
  )
})

describe('a user from GitHub', () => {
  const address = { email: 'ada@example.com', primary: true, verified: true }

  /**
   * Reads a profile from GitHub. Each parameter contains the body and the status of one of GitHub's two
   * endpoints.
   */
  async function read(user: [unknown, number], emails: [unknown, number]) {
    answerWith(({ pathname }) => {
      const [body, status] = pathname === '/user' ? user : emails
      return Response.json(body, { status })
    })
    return githubProfile('t')
  }

  it('has the GitHub ID, the primary email address, and its verification status', async () => {
    const other = { email: 'old@example.com', primary: false, verified: true }
    const user: [unknown, number] = [{ id: 7, login: 'ada', name: null }, 200]
    expect(await read(user, [[other, address], 200])).toMatchObject({
      subject: '7',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'ada',
    })
    expect(await read(user, [[{ ...address, verified: false }], 200])).toMatchObject({ emailVerified: false })
  })

  it('is rejected without an ID, regardless of the email address', async () => {
    for (const user of [
      [{ message: 'Bad gateway' }, 502],
      [{ login: 'ada' }, 200],
    ] as [unknown, number][]) {
      await expect(read(user, [[address], 200])).rejects.toThrow('GitHub did not return a user.')
      const subject = providerOf('github').readSubject({ access_token: 't', claims: () => undefined })
      await expect(subject).rejects.toThrow('GitHub did not return a user.')
    }
  })

  it('is accepted without an email address if GitHub does not return any', async () => {
    const user = await read([{ id: 7, login: 'ada' }, 200], [{ message: 'Forbidden' }, 403])
    expect(user).toMatchObject({ subject: '7', email: undefined, emailVerified: false })
  })
})

describe('a user from an OpenID Connect provider', () => {
  const issuer = 'https://id.example'
  const endpoints = { token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` }

  it('is accepted only if the provider signed the ID token with the default algorithm or one in its metadata', async () => {
    const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
    const curve = await generateKeyPair('ES256')
    const claims = { sub: 's', email: 'ada@example.com', email_verified: true, nonce: 'n' }
    for (const { signer, published, alg, metadata, outcome } of [
      { signer: own, published: own, alg: 'RS256', metadata: {}, outcome: 's' },
      { signer: other, published: own, alg: 'RS256', metadata: {}, outcome: 'refused' },
      { signer: curve, published: curve, alg: 'ES256', metadata: {}, outcome: 'refused' },
      {
        signer: curve,
        published: curve,
        alg: 'ES256',
        metadata: { id_token_signing_alg_values_supported: ['ES256'] },
        outcome: 's',
      },
    ]) {
      const token = new SignJWT(claims).setProtectedHeader({ alg }).setIssuer(issuer)
      const id_token = await token
        .setAudience('Iv1.app-1_x')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(signer.privateKey)
      const keys = [{ ...(await exportJWK(published.publicKey)), alg, use: 'sig' }]
      answerWith(({ pathname }) => {
        if (pathname === '/keys') return Response.json({ keys })
        if (pathname === '/token') return Response.json({ access_token: 't', token_type: 'Bearer', id_token })
        return Response.json({ issuer, ...endpoints, ...metadata })
      })
      const oidc = providerOf('oidc')
      const client = await oidc.configure()
      const checks = { expectedState: 's', expectedNonce: 'n', idTokenExpected: true }
      const back = new URL('https://here.example/callback?code=c&state=s')
      const read = authorizationCodeGrant(client, back, checks).then(
        (tokens) => oidc.readSubject(tokens),
        () => 'refused',
      )
      expect(await read).toBe(outcome)
    }
  })

  it.each([
    ['verified if UserInfo verifies it', { email: 'b@x.example', email_verified: true }, 'b@x.example', true],
    ['unverified if only another address was verified', { email: 'b@x.example' }, 'b@x.example', false],
    [
      'verified by the ID token if the ID token and UserInfo contain the same address',
      { email: 'a@x.example' },
      'a@x.example',
      true,
    ],
    ['taken from the ID token if UserInfo returns none', {}, 'a@x.example', true],
    ['unverified if UserInfo does not verify it', { email_verified: false }, 'a@x.example', false],
  ])('has an email address that is %s', (_title, userinfo, email, emailVerified) => {
    const claims = { sub: 's', email: 'a@x.example', email_verified: true }
    expect(openidProfile(claims, { sub: 's', ...userinfo })).toMatchObject({
      subject: 's',
      email,
      emailVerified,
    })
  })
})
