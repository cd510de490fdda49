import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Client, InteractionResults, Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, isWithinLimit } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { signInPath } from '@/lib/base/http/safe-next'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { remember } from '@/lib/base/process/remember'
import type { BrowserSession } from '@/lib/features/identity/sessions/find-live-session'
import { drawPicture } from '@/lib/features/pictures/draw-picture'
import { ownPicture } from '@/lib/features/pictures/rules'
import { oauthEngine } from '../engine/provider'
import { acrOf, amrOf, engineSessionUid, isUidOf } from '../engine/sessions'
import { clockTolerance } from '../protocol/security-profile'

type Interaction = InstanceType<Provider['Interaction']>

/** An authorization request that waits for the user, with its app. */
export type OpenInteraction = {
  interaction: Interaction
  client: Client
  /** The requested scopes. */
  scopes: string[]
  /**
   * Passes the user's decision to oidc-provider.
   * @returns the path where oidc-provider continues
   */
  finish: (result: InteractionResults) => Promise<string>
}

/**
 * Finds the interaction that this browser started under a uid.
 * @param cookieHeader must include the interaction cookie of oidc-provider, which is bound to the path of the
 * page
 * @returns undefined if the interaction was finished, has expired, or belongs to another browser or an ended
 * session, or if its app was deleted or disabled
 */
export async function openInteraction(
  uid: string,
  cookieHeader: string | null | undefined,
): Promise<OpenInteraction | undefined> {
  const { provider } = await oauthEngine()
  const interaction = await provider
    .interactionDetails(...nodePair(cookieHeader))
    .catch(ignoreLostInteraction)
  if (interaction?.uid !== uid) return undefined
  const client = await provider.Client.find(String(interaction.params.client_id)).catch(ignoreLostInteraction)
  if (!client) return undefined
  return {
    interaction,
    client,
    scopes: String(interaction.params.scope ?? '')
      .split(' ')
      .filter(Boolean),
    async finish(result) {
      interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result }
      await interaction.persist()
      return new URL(interaction.returnTo).pathname
    },
  }
}

/**
 * Returns undefined for the errors that oidc-provider throws if an interaction cannot continue or its app was
 * deleted. Throws any other error again.
 */
function ignoreLostInteraction(error: Error & { expose?: boolean }): undefined {
  if (!error.expose) throw error
}

/**
 * Returns a Node request that carries the cookies, and a response for it. oidc-provider requires both
 * objects, but a page has only the Cookie header.
 */
function nodePair(cookieHeader: string | null | undefined): [IncomingMessage, ServerResponse] {
  const { host, protocol } = new URL(config().BASE_URL)
  const req = new IncomingMessage(new Socket())
  Object.assign(req, { method: 'GET', url: '/' })
  Object.assign(req.headers, {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(cookieHeader ? { cookie: cookieHeader } : {}),
  })
  return [req, new ServerResponse(req)]
}

/** The next step of an interaction page. */
export type Step =
  | { kind: 'lost' }
  | { kind: 'redirect'; to: string }
  | { kind: 'choose-account'; open: OpenInteraction; session: BrowserSession; wrongAccount: boolean }
  | { kind: 'consent'; open: OpenInteraction; session: BrowserSession }

export const interactionPath = (uid: string): string => `/interaction/${encodeURIComponent(uid)}`

/**
 * Returns the next step of the interaction page. If the user has signed in since the app's request and no
 * other input is needed, passes the result to oidc-provider and returns the redirect to oidc-provider. The
 * result is an error if the sign-in does not meet an essential `acr` claim.
 */
export async function nextStep(
  uid: string,
  cookieHeader: string | null | undefined,
  session: BrowserSession | undefined,
): Promise<Step> {
  const open = await openInteraction(uid, cookieHeader)
  if (!open) return { kind: 'lost' }
  if (!session) return signInFirst(open)
  const { prompt } = open.interaction
  if (prompt.name === 'login') return afterSignIn(open, session)
  if (prompt.name === 'select_account') return { kind: 'choose-account', open, session, wrongAccount: false }
  // Another user has signed in since oidc-provider checked the request. Continue as that user, so that
  // oidc-provider checks the request again.
  if (open.interaction.session?.accountId !== session.user.id) return continueAs(open, session)
  return { kind: 'consent', open, session }
}

async function afterSignIn(open: OpenInteraction, session: BrowserSession): Promise<Step> {
  const { reasons } = open.interaction.prompt
  const again = reasons.includes('login_prompt') || reasons.includes('max_age')
  if (again && !isSignedInFor(open, session)) return signInFirst(open)
  const expected = expectedUser(open)
  if (expected && expected !== session.user.id) {
    return { kind: 'choose-account', open, session, wrongAccount: true }
  }
  if (!meetsEssentialAcr(open, session)) {
    const error = {
      error: 'unmet_authentication_requirements',
      error_description: 'the requested authentication context is not available',
    }
    return { kind: 'redirect', to: await open.finish(error) }
  }
  return continueAs(open, session)
}

/**
 * Returns whether the user has signed in for this request. The current browser session must differ from the
 * session in which the request started, and the sign-in must not be older than the request by more than
 * `clockTolerance`. Comparing the times alone is not enough, because they can come from the clocks of
 * different replicas.
 */
const isSignedInFor = ({ interaction }: OpenInteraction, { actor, authTime }: BrowserSession): boolean =>
  !isUidOf(interaction.session?.uid, actor.sessionId) &&
  authTime.getTime() >= (interaction.iat - clockTolerance) * 1000

/**
 * Returns whether the sign-in meets an essential `acr` claim (OpenID Connect Core section 5.5.1.1). Returns
 * true if oidc-provider did not prompt the user because of such a claim.
 */
function meetsEssentialAcr({ interaction }: OpenInteraction, session: BrowserSession): boolean {
  const { reasons, details } = interaction.prompt
  if (!reasons.some((reason) => reason.startsWith('essential_acr'))) return true
  const { value, values } = details.acr as { value?: string; values?: string[] }
  return (values ?? [value]).includes(acrOf(session.methods))
}

/**
 * Returns the ID of the user that an `id_token_hint` or a `sub` claim requires (OpenID Connect Core sections
 * 3.1.2.1 and 5.5.1); undefined if the request contains neither.
 */
function expectedUser({ interaction }: OpenInteraction): string | undefined {
  const { details } = interaction.prompt
  const hint = interaction.params.id_token_hint
  if (typeof hint === 'string') {
    const payload = Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString()
    return (JSON.parse(payload) as { sub?: string }).sub
  }
  return (details.sub as { value?: string } | undefined)?.value
}

/**
 * Returns whether a sign-in is recent enough for the request (`prompt=login`, `max_age`). If the request
 * requires a recent sign-in, the session must be the one that oidc-provider has already accepted, or the user
 * must have signed in for this request.
 */
function isRecentEnough(open: OpenInteraction, session: BrowserSession): boolean {
  const { params, prompt, session: accepted } = open.interaction
  const asksForLogin = String(params.prompt ?? '')
    .split(' ')
    .includes('login')
  const age = (databaseNow() - session.authTime.getTime()) / 1000
  if (!asksForLogin && !(params.max_age !== undefined && age > Number(params.max_age))) return true
  const isAccepted = prompt.name !== 'login' && isUidOf(accepted?.uid, session.actor.sessionId)
  return isAccepted || isSignedInFor(open, session)
}

/**
 * Completes the interaction as the signed-in user, and returns the redirect to oidc-provider. If the sign-in
 * is not recent enough, returns the redirect to the sign-in page. Detaches the interaction from the session
 * of oidc-provider, which might be another user's.
 */
export async function continueAs(open: OpenInteraction, session: BrowserSession): Promise<Step> {
  if (!isRecentEnough(open, session)) return signInFirst(open)
  open.interaction.session = undefined
  const to = await open.finish({
    login: {
      accountId: session.user.id,
      ts: Math.floor(session.authTime.getTime() / 1000),
      amr: amrOf(session.methods),
      acr: acrOf(session.methods),
      // The session that must still be current when oidc-provider continues (`ownResult`).
      sessionUid: engineSessionUid(session.actor.sessionId),
    },
    // Do not ask for the account again. The user has just chosen it or signed in to it.
    select_account: {},
  })
  return { kind: 'redirect', to }
}

const signInFirst = (open: OpenInteraction): Step => ({
  kind: 'redirect',
  to: signInPath(interactionPath(open.interaction.uid)),
})

/** The app that the user signs in to. */
export type WaitingApp = {
  id: string
  name: string
  logoUrl: string | undefined
  /** The logo for dark mode; null if there is none. */
  logoDarkUrl: string | null
  /** The requested scopes. */
  scopes: string[]
  /** The path to which the sign-in page posts the form that returns the user to the app. */
  cancelAction: string
  uiLocales: string | undefined
}

const path = /^\/interaction\/([\w-]{1,64})$/

/**
 * Returns the app of the authorization request that a path belongs to. The sign-in pages do not receive the
 * cookie that binds the request to the browser, so they can show only the app. The path contains the uid of
 * the request, which is known only to that browser.
 * @param next the unvalidated path of the page after sign-in
 * @param ip the visitor's IP address, for `loadLogo`
 * @returns undefined for any other path, or if the request has expired or its app is unknown
 */
export async function peekInteraction(
  next: string | undefined,
  ip?: string,
): Promise<WaitingApp | undefined> {
  const uid = path.exec(next ?? '')?.[1]
  if (!uid) return undefined
  const { provider } = await oauthEngine()
  const interaction = await provider.Interaction.find(uid)
  const { client_id, scope, ui_locales } = interaction?.params ?? {}
  const client = client_id ? await provider.Client.find(String(client_id)).catch(() => undefined) : undefined
  if (!client) return undefined
  return {
    id: client.clientId,
    name: client.clientName ?? client.clientId,
    logoUrl: await loadLogo(client.logoUri, ip),
    logoDarkUrl: await darkLogoOf(client.clientId),
    scopes: String(scope ?? '')
      .split(' ')
      .filter(Boolean),
    cancelAction: `/interaction/${uid}/cancel`,
    uiLocales: typeof ui_locales === 'string' ? ui_locales : undefined,
  }
}

/**
 * Returns an app's logo for dark mode, which oidc-provider does not store (RFC 7591 section 2); null if there
 * is none.
 */
async function darkLogoOf(id: string): Promise<string | null> {
  const row = await prisma().oAuthClient.findUnique({ where: { id }, select: { logoDarkUrl: true } })
  return row?.logoDarkUrl ?? null
}

/** The number of milliseconds for which a logo is cached. See ADR 0010. */
const keptFor = 3600_000
/** The number of milliseconds for which the failure to load a logo is cached. */
const missingFor = 300_000
/** The maximum number of cached logos, about 10 KB each. The least recently shown logos are removed. */
const mostLogos = 200

type Kept = { until: number; picture: Promise<string | undefined> }
/**
 * The limit on fetches of logos that visitors at one IP address trigger. Anyone can register an app with a
 * new logo URL and open its pages.
 */
const fetches: AttemptLimit = { name: 'logo-address', points: 60, seconds: 3600, message: '' }

const logos = () => remember('app-logos', () => new LRUCache<string, Kept>({ max: mostLogos }))

/**
 * Returns the logo of an app in a form that prevents the user's browser from contacting other hosts. For an
 * uploaded image, the result is its path. For an image on another host, the result is a data URL. This server
 * fetches and re-encodes such an image, and caches the result.
 * @param logoUri the logo URL that the app registered
 * @param ip the visitor's IP address. Without it, the fetches are not limited.
 * @returns undefined if there is no logo, it cannot be shown, or the IP address triggered too many fetches
 */
export async function loadLogo(
  logoUri: string | undefined,
  ip: string | undefined,
): Promise<string | undefined> {
  if (!logoUri) return undefined
  const { BASE_URL } = config()
  if (logoUri.startsWith(`${BASE_URL}/`)) return ownPicture(logoUri.slice(BASE_URL.length))
  const known = logos().get(logoUri)
  if (known && known.until > Date.now()) return known.picture
  if (ip && !(await isWithinLimit(fetches, ip))) return undefined
  const kept: Kept = { until: Date.now() + keptFor, picture: fetchLogo(logoUri) }
  logos().set(logoUri, kept)
  const picture = await kept.picture
  if (picture === undefined) kept.until = Date.now() + missingFor
  return picture
}

/**
 * Returns a logo as a data URL. Fetches the logo with tight limits on time and size, because a user waits for
 * the page. Returns undefined on failure, and the page shows no logo.
 */
async function fetchLogo(address: string): Promise<string | undefined> {
  try {
    const { status, body } = await guardedFetch(address, {
      purpose: 'logo',
      timeoutMs: 2000,
      maxBytes: 512 * 1024,
      maxRedirects: 2,
      accept: ['image/png', 'image/jpeg', 'image/webp'],
    })
    if (status !== 200) return undefined
    // Uploads of other images can delay this one, so limit the time.
    const drawn = await Promise.race([drawPicture(body, 'logo'), setTimeout(2000, undefined, { ref: false })])
    return drawn && `data:image/webp;base64,${Buffer.from(drawn).toString('base64')}`
  } catch {
    return undefined
  }
}
