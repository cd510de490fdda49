import type { NextAuthOptions } from 'next-auth'
import type { JWT } from 'next-auth/jwt'
import { encode } from 'next-auth/jwt'
import { isAppError } from '@/lib/base/errors/app-error'
import { isSecure } from '@/lib/base/http/cookie-names'
import { safeNext } from '@/lib/base/http/safe-next'
import type { Visitor } from '@/lib/base/http/visitor'
import { secondStepCookie, secondStepPath } from '@/lib/features/identity/browser-session/second-step-cookie'
import {
  readSessionToken,
  type SessionToken,
  sessionSecret,
} from '@/lib/features/identity/browser-session/session-cookie'
import { signInExternal } from '@/lib/features/identity/people/sign-in-external'
import { endOwnSession } from '@/lib/features/identity/sessions/end-session'
import { findLiveSession } from '@/lib/features/identity/sessions/find-live-session'
import { sessionSeconds } from '@/lib/features/identity/sessions/lifetime'
import { type SignInMethod, startSession } from '@/lib/features/identity/sessions/start-session'
import { beginSecondStep } from '@/lib/features/identity/two-factor/pending-sign-in'
import { authCookies } from './auth-cookies'
import { signInProviders } from './sign-in-providers'

/** The answer that next-auth is giving: where the person was going, and cookies of ours to send along. */
export type NextAuthAnswer = { next: string; cookies: string[] }

/**
 * next-auth, for sign-in through identity providers and for programs that use its endpoints. Its session token carries
 * the id of a row of `sessions`, and its `decode` asks that row on every use: a revoked session is no session here either.
 * @param visitor where this request comes from
 * @param answer collects the cookie of a second step, where the person owes one
 */
export const authOptions = (
  visitor: Visitor,
  answer: NextAuthAnswer = { next: '/', cookies: [] },
): NextAuthOptions => ({
  secret: sessionSecret(),
  useSecureCookies: isSecure(),
  cookies: authCookies(),
  session: { strategy: 'jwt', maxAge: sessionSeconds() },
  pages: { signIn: '/login', error: '/login' },
  providers: signInProviders(visitor),
  // A cookie of a session that has ended is an everyday thing, no error.
  logger: {
    error: (code, details) => {
      if (code !== 'JWT_SESSION_ERROR') console.error(`sign-in through a provider failed: ${code}`, details)
    },
  },
  jwt: {
    encode,
    async decode({ token }) {
      const read = await readSessionToken(token)
      const session = read && (await findLiveSession(read.sid))
      if (!read || !session || session.userId !== read.sub) return null
      return { ...read, name: session.name, email: session.email, picture: session.avatarUrl }
    },
  },
  callbacks: {
    async signIn({ user, account, profile }) {
      if (account?.type !== 'oauth') return askSecondStep(user.id, 'pwd', answer)
      const claims = (profile ?? {}) as { email_verified?: boolean | string }
      try {
        const { userId } = await signInExternal({
          provider: account.provider,
          subject: account.providerAccountId,
          email: user.email ?? undefined,
          emailVerified: claims.email_verified === true || claims.email_verified === 'true',
          name: user.name ?? undefined,
          avatarUrl: user.image ?? undefined,
        })
        user.id = userId
        return await askSecondStep(userId, 'ext', answer)
      } catch (error) {
        if (isAppError(error))
          return `/login?error=${error.code === 'CONFLICT' ? 'account_exists' : 'refused'}`
        throw error
      }
    },
    /** At sign-in `user` is set: the session starts here. Afterwards the token stays what it is. */
    async jwt({ token, user, account }): Promise<JWT> {
      if (!user) return { sub: token.sub, sid: (token as JWT & SessionToken).sid }
      const method = account?.type === 'oauth' ? 'ext' : 'pwd'
      return { sub: user.id, sid: await startSession(visitor, user.id, [method]) }
    },
    redirect: ({ url, baseUrl }) => {
      const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url
      return `${baseUrl}${safeNext(path)}`
    },
  },
  events: {
    async signOut({ token }) {
      const { sub, sid } = token as JWT & SessionToken
      if (!sub || !sid) return
      await endOwnSession({ kind: 'session', userId: sub, sessionId: sid, instanceAdmin: false, ...visitor })
    },
  },
})

/** @returns what next-auth's `signIn` callback answers: true, or the page of the second step to go to instead */
async function askSecondStep(
  userId: string,
  method: SignInMethod,
  answer: NextAuthAnswer,
): Promise<true | string> {
  const owed = await beginSecondStep(userId, [method])
  if (!owed) return true
  answer.cookies.push(secondStepCookie(owed))
  return secondStepPath(answer.next)
}
