import NextAuth from 'next-auth'
import { config } from '@/lib/base/config/env'
import { cookieName } from '@/lib/base/http/cookie-names'
import { safeNext } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import { cookieValue } from '@/lib/features/identity/browser-session/session-cookie'
import { authOptions, type NextAuthAnswer } from './auth-options'

type Context = { params: Promise<{ nextauth: string[] }> }

/** /api/auth/*: next-auth's own endpoints, with the second step where a person owes one. */
export async function answerNextAuth(request: Request, context: Context): Promise<Response> {
  const tooLong = refuseLongBody(request)
  if (tooLong) return tooLong
  // next-auth 4 knows its own address from the environment alone.
  process.env.NEXTAUTH_URL = config().BASE_URL
  const answer: NextAuthAnswer = { next: wantedPath(request), cookies: [] }
  const options = authOptions(visitorFrom(request.headers), answer)
  const response: Response = await NextAuth(request as never, context as never, options)
  for (const cookie of answer.cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** More than any form of next-auth holds. */
const mostBytes = 64 * 1024

/** next-auth reads whatever comes, to its end; so the length is to be stated, and not to be too much. */
function refuseLongBody({ headers }: Request): Response | undefined {
  if (headers.has('transfer-encoding')) {
    return Response.json({ error: 'The request must state its Content-Length.' }, { status: 411 })
  }
  if (Number(headers.get('content-length') ?? 0) <= mostBytes) return undefined
  return Response.json({ error: `The request must not exceed ${mostBytes} bytes.` }, { status: 413 })
}

/** Where next-auth would have gone after the sign-in: it remembers that in a cookie of its own. */
function wantedPath(request: Request): string {
  const value = cookieValue(request.headers.get('cookie') ?? undefined, cookieName('callback-url'))
  const { BASE_URL } = config()
  try {
    const url = new URL(decodeURIComponent(value ?? ''), BASE_URL)
    return url.origin === BASE_URL ? safeNext(`${url.pathname}${url.search}`) : '/'
  } catch {
    return '/'
  }
}
