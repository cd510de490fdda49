import { LRUCache } from 'lru-cache'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { remember } from '@/lib/base/process/remember'
import { drawPicture } from '@/lib/features/pictures/draw-picture'
import { ownPicture } from '@/lib/features/pictures/rules'
import { oauthEngine } from '../engine/provider'

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
 * do not get the cookie that ties the request to the browser. Its uid is a secret of that browser. See decision 189.
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

/** How long a logo is kept, and how long it is not asked for again where there was none, in milliseconds. See decision 078. */
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
