import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { renderToStaticMarkup } from 'react-dom/server'
import { readBrand } from '@/app/brand'
import { outageOf } from '@/lib/base/db/database-errors'
import { type AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { messagePage } from '@/lib/base/http/answers'
import { languageFrom, readTheme, themeCookie } from '@/lib/base/http/visitor'
import { sayIn } from '@/lib/base/language/say'
import { log } from '@/lib/base/log/log'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'
import { policyHeader } from '@/lib/server/content-security-policy'
import type { NodeHandler } from '@/lib/server/dispatch'
import { answerForms } from './answer-forms'
import type { Visit } from './door-page'
import { findDoorPage } from './door-pages'
import { headersOf } from './headers-of'
import { learnFrame, type PageFrame } from './page-frame'

/**
 * Draws the pages at the door with React alone, and takes their forms, where we own the Node server: Next would draw each of
 * them twice, as a document and as data for scripts that these pages do not have. What is no such page, and whatever goes wrong here, is
 * left to Next, which draws the same pages (./under-next) and knows how to tell an error. But for an outage of the database:
 * Next would wait for it a second time. See decision 160.
 * @param pages Next's own handler
 */
export function answerDoor(pages: NodeHandler): NodeHandler {
  let learned: { brand: string; frame: Promise<PageFrame> } | undefined
  const frame = () => {
    const brand = brandInFrame()
    if (learned?.brand === brand) return learned.frame
    const frame = learnFrame(pages).catch((error) => {
      learned = undefined
      log.warn('what Next draws is not understood', { error })
      throw error
    })
    learned = { brand, frame }
    return frame
  }
  const forms = answerForms(pages, frame)
  return async (req, res) => {
    if (req.method === 'POST') return forms(req, res)
    const [path, query] = (req.url as string).split(/\?(.*)/s) as [string, string?]
    const at = isForUs(req) ? findDoorPage(path) : undefined
    if (!at) return pages(req, res)
    const { found: page, params } = at
    try {
      const shown = await page.show({ params, query: readQuery(query), headers: headersOf(req) })
      if (!shown) return pages(req, res)
      const { headers, around } = await frame()
      const answer =
        'to' in shown
          ? undefined
          : around(page, { ...shown, theme: themeOf(req) }, renderToStaticMarkup(shown.page))
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      if ('to' in shown) res.writeHead(307, { location: shown.to, 'content-length': 0 }).end()
      else send(req, res, answer as string, shown.say.language)
    } catch (error) {
      const outage = outageOf(error, 'page')
      return outage ? tellOutage(req, res, outage) : pages(req, res)
    }
  }
}

/** What of the service's look stands in the document around a page: it is learnt anew when an operator changed that. */
function brandInFrame(): string {
  const { accentColor, logoUrl } = readBrand()
  return `${accentColor} ${logoUrl}`
}

/** A browser that opens a page, at an address that needs no second reading: it was given a policy (lib/server/content-security-policy). */
const isForUs = ({ method, headers }: IncomingMessage) =>
  method === 'GET' &&
  headers[policyHeader] !== undefined &&
  headers.rsc === undefined &&
  !wantsMarkdown(headers)

/** Who asks for a page of the docs like this gets it from app/docs/markdown. */
const wantsMarkdown = ({ accept }: IncomingMessage['headers']) => accept?.includes('text/markdown') === true

/** What this browser chose in the console. */
const themeOf = ({ headers }: IncomingMessage) => readTheme(cookieValue(headers.cookie, themeCookie()))

async function tellOutage(req: IncomingMessage, res: ServerResponse, outage: AppError): Promise<void> {
  const { url = '/' } = req
  const say = sayIn(languageFrom(headersOf(req)))
  const answer = messagePage({
    say,
    status: 503,
    title: say('page.away'),
    text: say.known(outage.message),
    link: { href: url, label: say('page.again') },
    headers: { 'retry-after': String(outageRetrySeconds) },
  })
  res.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
}

function readQuery(text = ''): Visit['query'] {
  const query: Visit['query'] = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

/** Below a kilobyte there is nothing to gain from compressing. */
function send({ headers }: IncomingMessage, res: ServerResponse, html: string, language: string): void {
  const whole = Buffer.from(html)
  const gzip = whole.length > 1024 && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  const body = gzip ? gzipSync(whole) : whole
  if (gzip) res.setHeader('content-encoding', 'gzip')
  res.setHeader('content-language', language)
  res.appendHeader('vary', 'accept, accept-language, cookie')
  res.writeHead(200, { 'content-length': body.length }).end(body)
}
