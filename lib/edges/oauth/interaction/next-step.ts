import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Client, InteractionResults, Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { signInPath } from '@/lib/base/http/safe-next'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { remember } from '@/lib/base/process/remember'
import type { BrowserSession } from '@/lib/features/identity/sessions/find-live-session'
import { drawPicture } from '@/lib/features/pictures/draw-picture'
import { ownPicture } from '@/lib/features/pictures/rules'
import { oauthEngine } from '../engine/provider'
import { acrOf, amrOf, isUidOf } from '../engine/sessions'
import { clockTolerance } from '../protocol/security-profile'

type Interaction = InstanceType<Provider['Interaction']>

/** An authorization request that waits for the person, with the app that made it. */
export type OpenInteraction = {
  interaction: Interaction
  client: Client
  /** The scopes asked for. */
  scopes: string[]
  /**
   * Hands the person's answer to the engine.
   * @returns the path where the engine goes on
   */
  finish: (result: InteractionResults) => Promise<string>
}

/**
 * Finds the interaction that this browser started under a uid.
 * @param cookieHeader it must hold the engine's interaction cookie, which is bound to the page's path
 * @returns undefined when it was finished, has expired, belongs to another browser or to a session that has ended
 */
export async function openInteraction(
  uid: string,
  cookieHeader: string | null | undefined,
): Promise<OpenInteraction | undefined> {
  const { provider } = await oauthEngine()
  const interaction = await provider.interactionDetails(...nodePair(cookieHeader)).catch(unlessLost)
  if (interaction?.uid !== uid) return undefined
  const client = await provider.Client.find(String(interaction.params.client_id)).catch(unlessLost)
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

/** What the engine throws for an interaction that cannot go on, or an app that is gone, is no defect. */
function unlessLost(error: Error & { expose?: boolean }): undefined {
  if (!error.expose) throw error
}

/** The engine reads its cookies from a Node request; a page only has the header. */
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

/** What the page of an interaction does. */
export type Step =
  | { kind: 'lost' }
  | { kind: 'redirect'; to: string }
  | { kind: 'choose-account'; open: OpenInteraction; session: BrowserSession; wrongAccount: boolean }
  | { kind: 'consent'; open: OpenInteraction; session: BrowserSession }

export const interactionPath = (uid: string): string => `/interaction/${encodeURIComponent(uid)}`

/**
 * Decides what a person who opens an interaction's page gets to see. A step that needs nobody, because the person has
 * signed in meanwhile, is finished right here.
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
  // Somebody else signed in since the app's request was read: it starts over with them.
  if (open.interaction.session?.accountId !== session.person.id) return goOnAs(open, session)
  return { kind: 'consent', open, session }
}

async function afterSignIn(open: OpenInteraction, session: BrowserSession): Promise<Step> {
  const { reasons } = open.interaction.prompt
  const again = reasons.includes('login_prompt') || reasons.includes('max_age')
  if (again && !isSignedInFor(open, session)) return signInFirst(open)
  const expected = expectedPerson(open)
  if (expected && expected !== session.person.id) {
    return { kind: 'choose-account', open, session, wrongAccount: true }
  }
  if (!meetsEssentialAcr(open, session)) {
    const error = {
      error: 'unmet_authentication_requirements',
      error_description: 'the requested authentication context is not available',
    }
    return { kind: 'redirect', to: await open.finish(error) }
  }
  return goOnAs(open, session)
}

/**
 * Whether the person has signed in for this request: the browser session is another one than the request came with. When
 * it began is told by the clock of another replica, perhaps, so that alone decides nothing.
 */
const isSignedInFor = ({ interaction }: OpenInteraction, { actor, authTime }: BrowserSession): boolean =>
  !isUidOf(interaction.session?.uid, actor.sessionId) &&
  authTime.getTime() >= (interaction.iat - clockTolerance) * 1000

/** Whether the sign-in is of a class that the `acr` claim insists on (OpenID Connect Core section 5.5.1.1). */
function meetsEssentialAcr({ interaction }: OpenInteraction, session: BrowserSession): boolean {
  const { reasons, details } = interaction.prompt
  if (!reasons.some((reason) => reason.startsWith('essential_acr'))) return true
  const { value, values } = details.acr as { value?: string; values?: string[] }
  return (values ?? [value]).includes(acrOf(session.methods))
}

/** The person an `id_token_hint` or a `sub` claim insists on (OpenID Connect Core sections 3.1.2.1 and 5.5.1). */
function expectedPerson({ interaction }: OpenInteraction): string | undefined {
  const { details } = interaction.prompt
  const hint = interaction.params.id_token_hint
  if (typeof hint === 'string') {
    const payload = Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString()
    return (JSON.parse(payload) as { sub?: string }).sub
  }
  return (details.sub as { value?: string } | undefined)?.value
}

/** Tells the engine who is signed in. Its own session may be another person's; the interaction lets go of that. */
export async function goOnAs(open: OpenInteraction, session: BrowserSession): Promise<Step> {
  open.interaction.session = undefined
  const to = await open.finish({
    login: {
      accountId: session.person.id,
      ts: Math.floor(session.authTime.getTime() / 1000),
      amr: amrOf(session.methods),
      acr: acrOf(session.methods),
    },
    // Who has just signed in has chosen the account.
    select_account: {},
  })
  return { kind: 'redirect', to }
}

const signInFirst = (open: OpenInteraction): Step => ({
  kind: 'redirect',
  to: signInPath(interactionPath(open.interaction.uid)),
})

/** The app that a sign-in is for. */
export type WaitingApp = {
  name: string
  logoUrl: string | undefined
  /** The one for dark pages. */
  logoDarkUrl: string | null
  /** What it asks for. */
  scopes: string[]
  /** Where a form posts that turns back to it. */
  cancelAction: string
  uiLocales: string | undefined
}

const path = /^\/interaction\/([\w-]{1,64})$/

/**
 * Reads which app's request waits at a path, for the pages before it: they may name the app, and nothing else, because they
 * do not get the cookie that ties the request to the browser. Its uid is a secret of that browser. See ADR 0038.
 * @param next where the person goes after signing in, unchecked
 * @returns undefined for any other path, and for a request that is over
 */
export async function peekInteraction(next: string | undefined): Promise<WaitingApp | undefined> {
  const uid = path.exec(next ?? '')?.[1]
  if (!uid) return undefined
  const { provider } = await oauthEngine()
  const interaction = await provider.Interaction.find(uid)
  const { client_id, scope, ui_locales } = interaction?.params ?? {}
  const client = client_id ? await provider.Client.find(String(client_id)).catch(() => undefined) : undefined
  if (!client) return undefined
  return {
    name: client.clientName ?? client.clientId,
    logoUrl: await loadLogo(client.logoUri),
    logoDarkUrl: await darkLogoOf(client.clientId),
    scopes: String(scope ?? '')
      .split(' ')
      .filter(Boolean),
    cancelAction: `/interaction/${uid}/cancel`,
    uiLocales: typeof ui_locales === 'string' ? ui_locales : undefined,
  }
}

/** The engine knows of one logo alone (RFC 7591 section 2). */
async function darkLogoOf(id: string): Promise<string | null> {
  const row = await prisma().oAuthClient.findUnique({ where: { id }, select: { logoDarkUrl: true } })
  return row?.logoDarkUrl ?? null
}

/** How long a logo is kept, and how long it is not asked for again where there was none, in milliseconds. See ADR 0013. */
const keptFor = 3600_000
const missingFor = 300_000
/** How many are kept, the least recently shown making room. Each is about 10 KB. */
const mostLogos = 200

type Kept = { until: number; picture: Promise<string | undefined> }
const logos = () => remember('app-logos', () => new LRUCache<string, Kept>({ max: mostLogos }))

/**
 * The logo of an app as a page shows it, so that the person's browser asks nobody but us: the path of an upload, or another
 * host's picture fetched from here, drawn anew and put into the page.
 * @param logoUri as the app registered it
 * @returns undefined where there is none, or none that can be shown
 */
export async function loadLogo(logoUri: string | undefined): Promise<string | undefined> {
  if (!logoUri) return undefined
  const { BASE_URL } = config()
  if (logoUri.startsWith(`${BASE_URL}/`)) return ownPicture(logoUri.slice(BASE_URL.length))
  const known = logos().get(logoUri)
  if (known && known.until > Date.now()) return known.picture
  const kept: Kept = { until: Date.now() + keptFor, picture: fetchLogo(logoUri) }
  logos().set(logoUri, kept)
  const picture = await kept.picture
  if (picture === undefined) kept.until = Date.now() + missingFor
  return picture
}

/** Short of time and size: a person waits for the page. A host that does not answer costs the app its logo, nothing else. */
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
    const drawn = await drawPicture(body, 'logo')
    return `data:image/webp;base64,${Buffer.from(drawn).toString('base64')}`
  } catch {
    return undefined
  }
}
