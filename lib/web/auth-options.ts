import type { NextAuthOptions } from 'next-auth'
import type { JWT } from 'next-auth/jwt'
import { encode } from 'next-auth/jwt'
import { isAppError } from '@/lib/errors/app-error'
import { signInExternal } from '@/lib/people/sign-in-external'
import type { Visitor } from '@/lib/people/visitor'
import { endOwnSession } from '@/lib/sessions/end-session'
import { findLiveSession } from '@/lib/sessions/find-live-session'
import { sessionSeconds, startSession } from '@/lib/sessions/start-session'
import { safeNext } from './safe-next'
import { isSecure, readSessionToken, type SessionToken, sessionSecret } from './session-cookie'
import { signInProviders } from './sign-in-providers'

/**
 * next-auth, for sign-in through identity providers and for programs that use its endpoints. Its session token carries
 * the id of a row of `sessions`, and its `decode` asks that row on every use: a revoked session is no session here either.
 * @param visitor where this request comes from
 */
export const authOptions = (visitor: Visitor): NextAuthOptions => ({
  secret: sessionSecret(),
  useSecureCookies: isSecure(),
  session: { strategy: 'jwt', maxAge: sessionSeconds },
  pages: { signIn: '/login', error: '/login' },
  providers: signInProviders(visitor),
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
      if (account?.type !== 'oauth') return true
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
        return true
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
