import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { sessionFromCookies } from '@/lib/features/identity/browser-session/session'
import { acrOf, amrOf } from '../protocol/sign-in-strength'

const adopting = new Set(['authorization', 'resume', 'end_session', 'end_session_confirm'])

type EngineSession = InstanceType<Provider['Session']> & { touched?: boolean; browserSessionId?: string }

/** The browser session that an engine's session follows. See decision 012. */
export const browserSessionOf = (session: EngineSession): string | undefined => session.browserSessionId

/**
 * Makes the person's browser session the engine's: who is signed in at the app is signed in here, since the same moment
 * and by the same means (`auth_time`, `amr`), and nobody else. A session that was revoked, or another person's, does not
 * go on. What the engine adds of its own (the `sid` of each client) stays as long as the browser session is the same: a
 * sign-in after a sign-out is another one to every app, or a message about the first would end the second.
 */
export function adoptBrowserSession(provider: Provider): void {
  const kept = [...provider.Session.IN_PAYLOAD, 'browserSessionId']
  Object.defineProperty(provider.Session, 'IN_PAYLOAD', { value: kept })
  const engineGet = provider.Session.get.bind(provider.Session)
  provider.Session.get = async (ctx) => {
    const session = (await engineGet(ctx)) as EngineSession
    const { oidc } = ctx as unknown as KoaContextWithOIDC
    if (!oidc || !adopting.has(oidc.route)) return session
    const browser = await sessionFromCookies(ctx.req.headers.cookie, {
      ip: ctx.ip,
      userAgent: ctx.get('user-agent'),
    })
    if (browser && (session.accountId ?? browser.person.id) === browser.person.id) {
      return signIn(session, browser)
    }
    if (!session.accountId) return session
    await session.destroy()
    const fresh = new (provider.Session as never as new (payload: object) => EngineSession)({})
    oidc.entity('Session', fresh)
    return browser ? signIn(fresh, browser) : fresh
  }
}

type Browser = NonNullable<Awaited<ReturnType<typeof sessionFromCookies>>>

function signIn(session: EngineSession, { actor, person, authTime, methods }: Browser): EngineSession {
  const same = session.browserSessionId === actor.sessionId
  const acr = acrOf(methods)
  const loginTs = Math.floor(authTime.getTime() / 1000)
  // A second factor that is set up raises the session that it is set up in.
  if (same && session.acr === acr && session.loginTs === loginTs) return session
  session.loginAccount({ accountId: person.id, loginTs, amr: amrOf(methods), acr })
  if (!same) session.authorizations = undefined
  session.browserSessionId = actor.sessionId
  session.touched = true
  return session
}
