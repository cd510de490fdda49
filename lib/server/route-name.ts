import fs from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { ruleOf } from '@/lib/base/http/addresses'
import { remember } from '@/lib/base/process/remember'
import { endpointName } from '@/lib/edges/oauth/http/answer-method'
import { mount } from '@/lib/edges/oauth/protocol/routes'

type Pages = { alone: Set<string>; patterns: { name: string; pattern: RegExp }[] }

const pages = () => remember<Pages>('page-routes', () => ({ alone: new Set(), patterns: [] }))

/**
 * Learns which pages there are from what Next's build left.
 * @param dir the folder that holds `.next`
 */
export function learnPages(dir: string): void {
  const file = path.join(dir, process.env.NEXT_DIST_DIR || '.next', 'routes-manifest.json')
  const { staticRoutes, dynamicRoutes }: Manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  Object.assign(pages(), {
    alone: new Set(staticRoutes.map(({ page }) => page)),
    patterns: dynamicRoutes.map(({ page, regex }) => ({ name: page, pattern: new RegExp(regex) })),
  })
}

type Manifest = Record<'staticRoutes' | 'dynamicRoutes', { page: string; regex: string }[]>

const named = new WeakMap<IncomingMessage, string>()

/** The route of a request, as it was addressed first: for its measurements, its trace and its entry in the log alike. */
export function routeOf(req: IncomingMessage): string {
  const known = named.get(req)
  if (known !== undefined) return known
  const name = routeName((req.url ?? '').split('?', 1)[0] as string)
  named.set(req, name)
  return name
}

/**
 * What stands in the log for an address: the route that answers it. Addresses themselves hold ids of people and things, and
 * tokens where a link was mailed.
 * @param path without its query
 * @returns such as `/workspaces/[slug]/settings`; `other` for what is no address of ours
 */
function routeName(path: string): string {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const { endpoint, path: own } = ruleOf(bare)
  if (endpoint === 'oauth' && bare.startsWith(`${mount}/`)) {
    const name = endpointName(bare.slice(mount.length))
    return name === undefined ? `${mount}/other` : mount + name
  }
  if (endpoint !== undefined) return own as string
  if (bare.startsWith('/_next/')) return '/_next'
  if (pages().alone.has(bare)) return bare
  return pages().patterns.find(({ pattern }) => pattern.test(bare))?.name ?? 'other'
}
