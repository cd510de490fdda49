import inject, { type DispatchFunc } from 'light-my-request'
import { titleOf } from '@/app/brand'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import type { Theme } from '@/lib/base/http/visitor'
import { policyHeader } from '@/lib/server/content-security-policy'
import type { NodeHandler } from '@/lib/server/dispatch'
import type { DoorPage, ShownPage } from './door-page'

type Framed = Omit<ShownPage, 'page'> & { theme?: Theme | undefined }

/** What all pages have in common: their headers, and the document around what stands in the body. */
export type PageFrame = {
  headers: Record<string, string | string[]>
  /** @param shown how it is shown, and in which colours, where this browser chose any */
  around: (page: DoorPage, shown: Framed, body: string) => string
}

/** Of the pages at the door the one that asks the database for nothing. */
const plainest = '/device'

/** Headers about one answer rather than about every page. */
const ofOneAnswer =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-encoding|etag|set-cookie)$/

/**
 * Learns the frame from a page that Next draws: only Next knows what its build called the style sheets and the fonts.
 * @param pages Next's own handler
 * @throws Error where the page is not one as this version of Next makes them
 */
export async function learnFrame(pages: NodeHandler): Promise<PageFrame> {
  const { statusCode, payload, headers } = await inject(pages as DispatchFunc, {
    url: plainest,
    // A policy without a nonce, so that none is written into the document.
    headers: {
      host: new URL(config().BASE_URL).host,
      accept: 'text/html',
      [policyHeader]: `default-src 'self'`,
    },
  })
  const [, head, title, rest, body] =
    /^(<!DOCTYPE html>.*<head>.*)(<title>.*<\/title><meta name="referrer"[^>]*>)(.*)<\/head>(<body[^>]*>)/s.exec(
      payload,
    ) ?? []
  if (statusCode !== 200 || !title) throw new Error(`Next answered ${statusCode}, and no page with a title`)
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !ofOneAnswer.test(name),
  )
  const before = withoutFrameworkScripts(head as string)
  const after = `${withoutFrameworkScripts(rest as string)}</head>${body}`
  return {
    headers: Object.fromEntries(
      kept.map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]),
    ),
    around: (page, shown, drawn) =>
      `${asShown(before, shown)}${headOf(page, shown.title)}${after}${drawn}</body></html>`,
  }
}

const asShown = (html: string, { say: { language, direction }, theme }: Framed) =>
  html.replace(
    '<html lang="en"',
    `<html lang="${language}" dir="${direction}"${theme ? ` data-theme="${theme}"` : ''}`,
  )

const headOf = ({ referrer = 'strict-origin-when-cross-origin' }: DoorPage, title: string) =>
  `<title>${escapeHtml(titleOf(title, config().SERVICE_NAME))}</title><meta name="referrer" content="${referrer}"/>`

/** Next's scripts and what announces them; our own files (`/picker.js`) stay. */
export function withoutFrameworkScripts(html: string): string {
  return html
    .replace(/<link\b[^>]*\b(?:as="script"|rel="modulepreload")[^>]*>/g, '')
    .replace(/<script\b([^>]*)>[\s\S]*?<\/script>/g, (script, attributes: string) =>
      /\bsrc="\/(?!_next\/)/.test(attributes) ? script : '',
    )
}
