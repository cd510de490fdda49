import { authorizationCodeGrant } from 'openid-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { type SignInProvider, signInProviders } from './sign-in-providers'

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

const providerOf = (id: string) => signInProviders().find((one) => one.id === id) as SignInProvider

/** Answers every request to the outside. @returns the requests, once made */
function answerWith(answer: (url: URL) => Response): Request[] {
  const asked: Request[] = []
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
    const request = new Request(...args)
    asked.push(request)
    return answer(new URL(request.url))
  })
  return asked
}

describe('proving to a provider who we are', () => {
  it.each(['github', 'google', 'oidc'])('sends %s the id and the secret as it gave them', async (id) => {
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
  })
})

describe('who GitHub says somebody is', () => {
  const address = { email: 'ada@example.com', primary: true, verified: true }

  /** @param user, emails what the two addresses of GitHub's answer, and under which status */
  async function read(user: [unknown, number], emails: [unknown, number]) {
    answerWith(({ pathname }) => {
      const [body, status] = pathname === '/user' ? user : emails
      return Response.json(body, { status })
    })
    const github = providerOf('github')
    return github.readPerson(await github.configure(), { access_token: 't' } as never)
  }

  it('is the id there, with the primary address and whether it is verified', async () => {
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

  it('is nobody while it does not say so, whatever address it tells', async () => {
    for (const user of [
      [{ message: 'Bad gateway' }, 502],
      [{ login: 'ada' }, 200],
    ] as [unknown, number][]) {
      await expect(read(user, [[address], 200])).rejects.toThrow('GitHub did not say who this is.')
    }
  })

  it('is known without the addresses too, which vouch for nothing then', async () => {
    const person = await read([{ id: 7, login: 'ada' }, 200], [{ message: 'Forbidden' }, 403])
    expect(person).toMatchObject({ subject: '7', email: undefined, emailVerified: false })
  })
})
