import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '@/lib/base/config/env'
import { outageOf } from '@/lib/base/db/database-errors'
import { unavailablePage } from '@/lib/base/http/answers'
import { policyHeader } from '@/lib/server/content-security-policy'
import type { NodeHandler } from '@/lib/server/dispatch'
import { findDoorForm } from './door-forms'
import { headersOf } from './headers-of'
import type { PageFrame } from './page-frame'

/** Headers of a page that say what its document is. */
const ofTheDocument = /^(content-type|link)$/

/**
 * Takes what the pages at the door post, without Next, whose way of handing a request to such a function costs more than most
 * of them. What is sent anywhere else is left to Next, and so is everything while its headers are not known.
 * See decision 160.
 * @param pages Next's own handler
 * @param frame what all pages have in common
 */
export function answerForms(pages: NodeHandler, frame: () => Promise<PageFrame>): NodeHandler {
  return async (req, res) => {
    const path = (req.url as string).split('?', 1)[0] as string
    const at = req.headers[policyHeader] === undefined ? undefined : findDoorForm(path)
    const known = at && (await frame().catch(() => undefined))
    if (!known) return pages(req, res)
    for (const [name, value] of Object.entries(known.headers)) {
      if (!ofTheDocument.test(name)) res.setHeader(name, value)
    }
    try {
      await send(res, await at.found(asFetched(req), at.params))
    } catch (error) {
      const outage = outageOf(error, 'form')
      if (!outage) throw error
      await send(res, unavailablePage({ headers: headersOf(req) }, outage, path.replace(/\/\w+$/, '')))
    }
  }
}

/** The request as the web has it. Who stops reading its body does not end the connection, over which the answer goes. */
const asFetched = (req: IncomingMessage): Request =>
  new Request(new URL(req.url as string, config().BASE_URL), {
    method: 'POST',
    headers: headersOf(req),
    body: req.iterator({ destroyOnReturn: false }),
    duplex: 'half',
  } as unknown as RequestInit)

async function send(res: ServerResponse, answer: Response): Promise<void> {
  // Several Set-Cookie headers stay several.
  for (const [name, value] of answer.headers) {
    if (name === 'set-cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  const body = Buffer.from(await answer.arrayBuffer())
  res.writeHead(answer.status, { 'content-length': body.length }).end(body)
}
