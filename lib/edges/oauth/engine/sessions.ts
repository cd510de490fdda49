import { createHmac } from 'node:crypto'
import { type InteractionResults, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { derivedKey, derivedKeys } from '@/lib/base/credentials/seal'
import { recordSignIn } from '@/lib/features/apps/activity/back-channel-logout'
import {
  type BrowserSession,
  sessionFromCookies,
  signInFromCookies,
} from '@/lib/features/identity/sessions/find-live-session'
import { findApi } from '@/lib/features/resources/apis'
import { foreignResources } from '../protocol/routes'

const adopting = new Set(['authorization', 'resume', 'end_session', 'end_session_confirm'])

type EngineSession = InstanceType<Provider['Session']> & { touched?: boolean; browserSessionId?: string }
type Interaction = InstanceType<Provider['Interaction']>
type SessionOf = (payload: object) => EngineSession

/** Returns the ID of the browser session behind an oidc-provider session. See ADR 0006. */
const browserSessionOf = (session: EngineSession): string | undefined => session.browserSessionId

/**
 * Makes oidc-provider use the user's browser session, with its sign-in time and methods (`auth_time`, `amr`),
 * at the authorization and logout endpoints. A session of oidc-provider that belongs to another browser
 * session is not used. If there is no usable browser session, a session of oidc-provider that has a user is
 * deleted.
 *
 * The handle of oidc-provider's session is derived from the browser session. With random handles,
 * oidc-provider would create a new session for each request that does not send the cookie of oidc-provider.
 * Of several parallel requests, only the last one would find its session again, because the browser keeps
 * only the last cookie.
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
    // For a sign-out, accept every signed-in user. For a sign-in to an app, ignore a user who must still set
    // up two-factor authentication.
    const find = oidc.route.startsWith('end_session') ? signInFromCookies : sessionFromCookies
    const browser = await find(ctx.req.headers.cookie, {
      ip: ctx.ip,
      userAgent: ctx.get('user-agent'),
    })
    if (browser) {
      const { sessionId } = browser.actor
      // Use the oidc-provider session that already belongs to this browser session, even if its handle
      // differs. Replicas with a different SECRET_KEY or release derive a different handle from the same
      // browser session.
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
 * Makes oidc-provider accept a pending authorization request that belongs to the current browser session.
 * oidc-provider compares only the `uid` of its own session, which differs on replicas with another key order
 * (ADR 0041). Therefore, this function replaces the request's `uid` with the current one. When oidc-provider
 * continues the request, this function also drops results that do not belong to the current session.
 */
export function matchOwnInteractions(provider: Provider): void {
  const model = provider.Interaction as unknown as { find(id: string): Promise<Interaction | undefined> }
  const find = model.find.bind(model)
  model.find = async (id) => {
    const found = await find(id)
    const session = Provider.ctx?.oidc.session as EngineSession | undefined
    const own = session && browserSessionOf(session)
    if (found?.session && own && isUidOf(found.session.uid, own)) found.session.uid = session.uid
    if (found?.result && Provider.ctx?.oidc.route === 'resume')
      found.result = ownResult(found.result, session)
    return found
  }
}

/**
 * Returns the parts of an interaction's result that belong to the browser session in which oidc-provider
 * continues. Without this check, a sign-in would count even if its session has been revoked since, and one
 * user's consent would count for another user who signs in afterwards. oidc-provider asks again for the
 * dropped parts.
 */
function ownResult(result: InteractionResults, session: EngineSession | undefined): InteractionResults {
  const { login, consent, ...rest } = result
  const own = session && browserSessionOf(session)
  if (login && !(own && isUidOf(String(login.sessionUid), own))) return {}
  const isOwnConsent = consent?.accountId === (login?.accountId ?? session?.accountId)
  return { ...rest, ...(login ? { login } : {}), ...(consent && isOwnConsent ? { consent } : {}) }
}

/**
 * Returns the value of oidc-provider's cookie for a browser session. The value need not be secret, because it
 * is useless without the browser session.
 */
const handleFor = (sessionId: string): string =>
  createHmac('sha256', derivedKey('engine-session')).update(sessionId).digest('base64url')

/** Returns the initial payload of the oidc-provider session for a browser session. */
const successor = (sessionId: string) => ({ jti: handleFor(sessionId), uid: engineSessionUid(sessionId) })

function signIn(session: EngineSession, { actor, user, authTime, methods }: BrowserSession): EngineSession {
  const acr = acrOf(methods)
  const loginTs = Math.floor(authTime.getTime() / 1000)
  // Compare the context class (`acr`) too, because it changes when the user sets up two-factor
  // authentication.
  if (session.accountId && session.acr === acr && session.loginTs === loginTs) return session
  session.loginAccount({ accountId: user.id, loginTs, amr: amrOf(methods), acr })
  session.browserSessionId = actor.sessionId
  session.touched = true
  return session
}

const issuing = new Set(['authorization', 'resume'])

/**
 * Records a sign-in if an app or an API must be notified when the sign-in ends. Records it before the code is
 * sent.
 */
export async function recordSignIns(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (!ctx.oidc || !issuing.has(ctx.oidc.route)) return
  const { AuthorizationCode: code, Client: client } = ctx.oidc.entities
  const { session } = ctx.oidc
  if (!code || !client || !session) return
  if (!client.backchannelLogoutUri && !(await concernsReceiver(code))) return
  const sessionId = browserSessionOf(session)
  const sid = session.sidFor(client.clientId)
  if (sessionId && sid) await recordSignIn(sessionId, client.clientId, sid)
}

/** Returns whether a code is for an API that receives security events. */
async function concernsReceiver(code: object): Promise<boolean> {
  const apis = await Promise.all(foreignResources({ ...code }).map(findApi))
  return apis.some((api) => api?.eventsUrl)
}

const uidsOf = (sessionId: string): string[] =>
  derivedKeys('engine-session-uid').map((key) =>
    createHmac('sha256', key).update(sessionId).digest('base64url'),
  )

/**
 * Returns the `uid` that a pending authorization request stores for its browser session. It is derived with
 * the first configured key, so all requests of the session have the same `uid` until the key order changes.
 * @param sessionId the ID in `sessions`
 */
export const engineSessionUid = (sessionId: string): string => uidsOf(sessionId)[0] as string

/**
 * Returns whether a `uid` belongs to a browser session, under any configured key. During a rotation of
 * SECRET_KEY, different replicas derive different values for the same session. See ADR 0041.
 */
export const isUidOf = (uid: string | undefined, sessionId: string): boolean =>
  uid !== undefined && uidsOf(sessionId).includes(uid)

const policies = 'http://schemas.openid.net/pape/policies/2007/06'

/**
 * The `acr` values for two factors and for a single factor (OpenID PAPE 1.0 sections 4 and 5.2). See
 * ADR 0008.
 */
export const twoFactors = `${policies}/multi-factor`
export const oneFactor = `${policies}/none`

/** Returns the authentication context class for these sign-in methods (OpenID Connect Core section 2). */
export const acrOf = (methods: readonly string[]): string =>
  methods.includes('mfa') ? twoFactors : oneFactor

/**
 * Returns the sign-in methods without `ext` (sign-in through an identity provider), which RFC 8176 does not
 * define.
 */
export const amrOf = (methods: readonly string[]): string[] => methods.filter((method) => method !== 'ext')
