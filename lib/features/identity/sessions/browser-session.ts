import type { Visitor } from '@/lib/base/http/visitor'
import type { SessionActor } from '@/lib/policy/actor'
import { isId } from '@/lib/policy/require'
import { hasTwoFactors, owesSecondFactor } from '@/lib/policy/two-factor'
import { findLiveSession } from './find-live-session'
import { cookieValue, readSessionToken, sessionCookieName } from './session-cookie'

/**
 * A signed-in browser: the actor for the domain, when and how the person signed in (`auth_time` and `amr` of OpenID
 * Connect), and what a page shows of the person.
 * See decision 030.
 */
export type BrowserSession = {
  actor: SessionActor
  authTime: Date
  methods: string[]
  person: { id: string; name: string; email: string; avatarUrl: string | null }
}

/**
 * The session that a request's cookies carry, as far as it opens anything. Works in Next and on a plain Node request alike.
 * The row is read on every call, so a revoked session or a suspended person is out at the next request.
 * @param cookieHeader the Cookie header
 * @returns undefined when nobody is signed in, and where a second factor is demanded of everybody and was not shown: who asks for
 *   a session without thinking of that gets none
 */
export async function sessionFromCookies(
  cookieHeader: string | undefined,
  visitor: Visitor,
): Promise<BrowserSession | undefined> {
  return payingSession(await signInFromCookies(cookieHeader, visitor))
}

/** A sign-in where it owes no second factor. */
export const payingSession = (signIn: BrowserSession | undefined): BrowserSession | undefined =>
  signIn && !owesSecondFactor(signIn.actor, 'anything') ? signIn : undefined

/**
 * The same, whether or not its person still owes a second factor: for setting one up, and for signing out.
 * @returns undefined when nobody is signed in
 */
export async function signInFromCookies(
  cookieHeader: string | undefined,
  visitor: Visitor,
): Promise<BrowserSession | undefined> {
  const token = await readSessionToken(cookieValue(cookieHeader, sessionCookieName()))
  if (!token || !isId(token.sid)) return undefined
  const session = await findLiveSession(token.sid)
  if (!session || session.userId !== token.sub) return undefined
  return {
    actor: {
      kind: 'session',
      userId: session.userId,
      sessionId: session.id,
      instanceAdmin: session.instanceAdmin,
      twoFactor: hasTwoFactors(session.methods),
      ip: visitor.ip,
      userAgent: visitor.userAgent,
    },
    authTime: session.createdAt,
    methods: session.methods,
    person: {
      id: session.userId,
      name: session.name,
      email: session.email,
      avatarUrl: session.avatarUrl,
    },
  }
}
