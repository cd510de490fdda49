import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { sessionFromCookies } from '@/lib/web/session'

const adopting = new Set(['authorization', 'resume', 'end_session', 'end_session_confirm'])

type EngineSession = InstanceType<Provider['Session']> & { touched?: boolean }

/**
 * Makes the person's browser session the engine's: who is signed in at the app is signed in here, since the same moment
 * and by the same means (`auth_time`, `amr`), and nobody else. A session that was revoked, or another person's, does not
 * go on. What the engine adds of its own (the `sid` of each client) stays with its session.
 */
export function adoptBrowserSession(provider: Provider): void {
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

function signIn(session: EngineSession, { person, authTime, methods }: Browser): EngineSession {
  const loginTs = Math.floor(authTime.getTime() / 1000)
  if (session.accountId !== person.id || session.loginTs !== loginTs) {
    session.loginAccount({ accountId: person.id, loginTs, amr: methods })
    session.touched = true
  }
  return session
}
