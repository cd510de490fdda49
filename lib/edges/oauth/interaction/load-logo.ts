import { LRUCache } from 'lru-cache'
import { config } from '@/lib/base/config/env'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { remember } from '@/lib/base/process/remember'
import { drawPicture } from '@/lib/features/pictures/draw-picture'
import { ownPicture } from '@/lib/features/pictures/own-picture'

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
