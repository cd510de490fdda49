import { createHash, randomBytes } from 'node:crypto'
import NextAuth from 'next-auth'
import { config } from '@/lib/base/config/env'
import { cookieName } from '@/lib/base/http/cookie-names'
import { safeNext } from '@/lib/base/http/safe-next'
import { seeOther } from '@/lib/base/http/see-other'
import { takeForm } from '@/lib/base/http/take-form'
import { visitorFrom } from '@/lib/base/http/visitor'
import { sessionSecret } from '@/lib/features/identity/browser-session/session-cookie'
import { authOptions } from './auth-options'
import { offeredProviders } from './sign-in-providers'

/**
 * POST /login/with/:provider: sends the browser to an identity provider, through next-auth's own sign-in endpoint.
 * That endpoint wants its double-submit token from a script; the Origin check has already said what the token would, so
 * a fresh pair is made here and the buttons on /login work without a script.
 */
export async function startExternalSignIn(request: Request, provider: string): Promise<Response> {
  const form = await takeForm(request)
  if (form instanceof Response) return form
  if (!offeredProviders().some(({ id }) => id === provider)) return seeOther('/login?error=provider')
  const csrfToken = randomBytes(32).toString('hex')
  const hash = createHash('sha256').update(`${csrfToken}${sessionSecret()}`).digest('hex')
  process.env.NEXTAUTH_URL = config().BASE_URL
  const answer = new CapturedAnswer()
  await NextAuth(
    {
      method: 'POST',
      query: { nextauth: ['signin', provider] },
      cookies: { [cookieName('csrf-token')]: `${csrfToken}|${hash}` },
      headers: {},
      body: { csrfToken, callbackUrl: `${config().BASE_URL}${safeNext(form.get('next'))}` },
    } as never,
    answer as never,
    authOptions(visitorFrom(request.headers)),
  )
  return seeOther(answer.location ?? '/login?error=provider', answer.cookies)
}

/** The part of a Node response that next-auth writes to when it redirects. */
class CapturedAnswer {
  private readonly headers = new Map<string, string | string[]>()
  status = () => this
  end = () => this
  json = () => this
  send = () => this
  getHeader = (name: string) => this.headers.get(name.toLowerCase())
  setHeader = (name: string, value: string | string[]) => {
    this.headers.set(name.toLowerCase(), value)
    return this
  }
  get location() {
    return this.getHeader('location') as string | undefined
  }
  get cookies() {
    return [this.getHeader('set-cookie') ?? []].flat()
  }
}
