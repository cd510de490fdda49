import { createHmac } from 'node:crypto'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { derivedKey, derivedKeys } from '@/lib/base/credentials/seal'
import { recordSignIn } from '@/lib/features/apps/activity/back-channel-logout'
import {
  type BrowserSession,
  sessionFromCookies,
  signInFromCookies,
} from '@/lib/features/identity/sessions/find-live-session'

const adopting = new Set(['authorization', 'resume', 'end_session', 'end_session_confirm'])

type EngineSession = InstanceType<Provider['Session']> & { touched?: boolean; browserSessionId?: string }
type Interaction = InstanceType<Provider['Interaction']>
type SessionOf = (payload: object) => EngineSession

/** The browser session that an engine's session follows. See ADR 0008. */
const browserSessionOf = (session: EngineSession): string | undefined => session.browserSessionId

/**
 * Makes the person's browser session the engine's: who is signed in at the app is signed in here, since the same moment
 * and by the same means (`auth_time`, `amr`), and nobody else. A session that was revoked, or another person's, does not
 * go on. Its handle follows from the browser session too: the engine would make a new one for every request that comes
 * without its cookie, and at every return, so of several requests at once in one browser only the last would find its own.
 */
export function adoptBrowserSession(provider: Provider): void {
  const { Session } = provider
  const kept = [...Session.IN_PAYLOAD, 'browserSessionId']
  Object.defineProperty(Session, 'IN_PAYLOAD', { value: kept })
  const make: SessionOf = (payload) =>
    new (Session as never as new (payload: object) => EngineSession)(payload)
  const engineReset = Session.prototype.resetIdentifier
  Session.prototype.resetIdentifier = function (this: EngineSession) {
    if (this.browserSessionId === undefined) engineReset.call(this)
  }
  const engineGet = Session.get.bind(Session)
  Session.get = async (ctx) => {
    const session = (await engineGet(ctx)) as EngineSession
    const { oidc } = ctx as unknown as KoaContextWithOIDC
    if (!oidc || !adopting.has(oidc.route)) return session
    // Signing out is for everybody who is signed in; an app gets nobody who still owes a second factor.
    const find = oidc.route.startsWith('end_session') ? signInFromCookies : sessionFromCookies
    const browser = await find(ctx.req.headers.cookie, {
      ip: ctx.ip,
      userAgent: ctx.get('user-agent'),
    })
    if (browser) {
      const { sessionId } = browser.actor
      // One of this browser session that has another handle is of a replica whose SECRET_KEY is another, or of another release.
      const own = session.browserSessionId === sessionId ? session : await Session.find(handleFor(sessionId))
      const followed = signIn((own as EngineSession) ?? make(successor(sessionId)), browser)
      oidc.entity('Session', followed)
      return followed
    }
    if (!session.accountId) return session
    await session.destroy()
    const fresh = make({})
    oidc.entity('Session', fresh)
    return fresh
  }
}

/**
 * Knows a request that waited by the browser session it came with. The engine compares the `uid` of its session alone, which
 * is another where the request was begun, or allowed, at a replica whose keys have another order (ADR 0051).
 */
export function knowOwnInteractions(provider: Provider): void {
  const model = provider.Interaction as unknown as { find(id: string): Promise<Interaction | undefined> }
  const find = model.find.bind(model)
  model.find = async (id) => {
    const found = await find(id)
    const session = Provider.ctx?.oidc.session as EngineSession | undefined
    const own = session && browserSessionOf(session)
    if (found?.session && own && isUidOf(found.session.uid, own)) found.session.uid = session.uid
    return found
  }
}

/** What the engine's cookie names for a browser session. It is no secret: without the browser session it opens nothing. */
const handleFor = (sessionId: string): string =>
  createHmac('sha256', derivedKey('engine-session')).update(sessionId).digest('base64url')

/** The payload of a browser session's first engine session. */
const successor = (sessionId: string) => ({ jti: handleFor(sessionId), uid: engineSessionUid(sessionId) })

function signIn(session: EngineSession, { actor, person, authTime, methods }: BrowserSession): EngineSession {
  const acr = acrOf(methods)
  const loginTs = Math.floor(authTime.getTime() / 1000)
  // A second factor that is set up raises the session that it is set up in.
  if (session.accountId && session.acr === acr && session.loginTs === loginTs) return session
  session.loginAccount({ accountId: person.id, loginTs, amr: amrOf(methods), acr })
  session.browserSessionId = actor.sessionId
  session.touched = true
  return session
}

const issuing = new Set(['authorization', 'resume'])

/** Notes each sign-in to an app that wants to hear of its end, before the code leaves. */
export async function recordSignIns(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (!ctx.oidc || !issuing.has(ctx.oidc.route)) return
  const { AuthorizationCode: code, Client: client } = ctx.oidc.entities
  const { session } = ctx.oidc
  if (!code || !client?.backchannelLogoutUri || !session) return
  const sessionId = browserSessionOf(session)
  const sid = session.sidFor(client.clientId)
  if (sessionId && sid) await recordSignIn(sessionId, client.clientId, sid)
}

const uidsOf = (sessionId: string): string[] =>
  derivedKeys('engine-session-uid').map((key) =>
    createHmac('sha256', key).update(sessionId).digest('base64url'),
  )

/**
 * What an authorization request that waits for the person notes of the browser session it came with (the `uid` of the
 * engine's session): the same for every request of that session, however many come at once.
 * @param sessionId the row of `sessions`
 */
export const engineSessionUid = (sessionId: string): string => uidsOf(sessionId)[0] as string

/**
 * Whether a `uid` is that of a browser session, whichever of the keys it was made with: a replica that is given a new
 * SECRET_KEY before or after this one makes another. See ADR 0051.
 */
export const isUidOf = (uid: string | undefined, sessionId: string): boolean =>
  uid !== undefined && uidsOf(sessionId).includes(uid)

const policies = 'http://schemas.openid.net/pape/policies/2007/06'

/** What `acr` says of two factors, and of anything less (OpenID PAPE 1.0 sections 4 and 5.2). See ADR 0010. */
export const twoFactors = `${policies}/multi-factor`
export const oneFactor = `${policies}/none`

/** The authentication context class of a sign-in by these methods (OpenID Connect Core section 2). */
export const acrOf = (methods: readonly string[]): string =>
  methods.includes('mfa') ? twoFactors : oneFactor

/** The methods that RFC 8176 has names for; an identity provider's word is none. */
export const amrOf = (methods: readonly string[]): string[] => methods.filter((method) => method !== 'ext')
