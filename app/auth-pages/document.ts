import inject, { type DispatchFunc } from 'light-my-request'
import { readBrand, titleOf } from '@/app/brand'
import { accentStyle } from '@/components/ui/accent'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import type { Theme } from '@/lib/base/http/visitor'
import { policyHeader } from '@/lib/server/content-security-policy'
import type { NodeHandler } from '@/lib/server/dispatch'
import type { AuthPage, ShownPage } from './auth-page'

/** The parts of every page that `next build` determines. */
export type Build = {
  /** The response headers that all pages share. */
  headers: Record<string, string | string[]>
  /** The classes of `<html>`, which name the font. */
  fontClass: string
  /**
   * The tags in `<head>` that are the same for all pages: style sheets, fonts, viewport, and theme colors.
   */
  assets: string
  /** The opening tag of `<body>`. */
  body: string
}

/** The path of an auth page that does not read from the database. */
const plainestPath = '/device'

/** Matches the names of headers that describe a single response. */
const perResponse =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-encoding|etag|set-cookie)$/

const documentParts = /^<!DOCTYPE html><html\b[^>]* class="([^"]*)"[^>]*><head>(.*?)<\/head>(<body[^>]*>)/s

/** Matches the `<meta>` and `<link>` tags that differ between pages or load scripts. */
const pageTag = /\b(?:name="referrer"|rel="icon"|as="script"|rel="modulepreload")/

/**
 * Requests a page from Next, and returns the parts of this page that all pages share. This function does not
 * read Next's manifests. They also contain the names of the style sheets and fonts, but they are internal to
 * Next and change between releases.
 * @param nextPages Next's request handler
 * @throws Error if Next does not return a page with a style sheet
 */
export async function readBuild(nextPages: NodeHandler): Promise<Build> {
  const { statusCode, payload, headers } = await inject(nextPages as DispatchFunc, {
    url: plainestPath,
    // This policy has no nonce, so Next adds none to the page.
    headers: {
      host: new URL(config().BASE_URL).host,
      accept: 'text/html',
      [policyHeader]: `default-src 'self'`,
    },
  })
  const [, fontClass, head, body] = documentParts.exec(payload) ?? []
  const tags = head?.match(/<(?:meta|link)\b[^>]*>/g)?.filter((tag) => !pageTag.test(tag)) ?? []
  const assets = tags.join('')
  if (statusCode !== 200 || fontClass === undefined || body === undefined || !assets.includes('"stylesheet"'))
    throw new Error(`Next returned no page with a style sheet (status ${statusCode})`)
  const shared = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !perResponse.test(name),
  )
  return {
    headers: Object.fromEntries(
      shared.map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]),
    ),
    fontClass,
    assets,
    body,
  }
}

/**
 * Returns the HTML document of an auth page, without Next's scripts.
 * @param content the page as HTML
 * @param theme the color scheme that the user chose in the console
 */
export function documentOf(
  { fontClass, assets, body }: Build,
  { referrer = 'strict-origin-when-cross-origin' }: AuthPage,
  { say, title }: ShownPage,
  content: string,
  theme?: Theme,
): string {
  const { accentColor, logoUrl, serviceName } = readBrand()
  const style = Object.entries(accentStyle(accentColor)).map(([name, value]) => `${name}:${value}`)
  const scheme = theme ? ` data-theme="${theme}"` : ''
  return (
    `<!DOCTYPE html><html lang="${say.language}" dir="${say.direction}"${scheme} class="${fontClass}"` +
    ` style="${style.join(';')}"><head>${assets}<title>${escapeHtml(titleOf(title, serviceName))}</title>` +
    `<meta name="referrer" content="${referrer}"/>` +
    `<link rel="icon" href="${escapeHtml(logoUrl ?? '/brand/icon.svg')}"/></head>${body}${content}</body></html>`
  )
}
