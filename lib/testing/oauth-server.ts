import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '@/lib/base/config/env'
import { visitorFrom } from '@/lib/base/http/visitor'
import {
  answerAccountChoice,
  answerCancel,
  answerDecision,
} from '@/lib/edges/oauth/interaction/answer-decision'
import { nextStep } from '@/lib/edges/oauth/interaction/next-step'
import { keepUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { startTestServer, type TestServer } from './server'

/**
 * Starts the product's server with a simplified interaction page, and creates the tables of used tokens. The
 * server responds to `GET /interaction/:uid` with the kind of the interaction's step as JSON, or with a
 * redirect if no step is needed. The forms (`POST /interaction/:uid/decision`, `/cancel`, and `/continue`)
 * run the product's own code.
 */
export async function startOAuthServer(): Promise<TestServer> {
  const server = await startTestServer(interactionPages)
  await keepUsedTables()
  return server
}

/** The handlers of the product's forms, by the last part of their path. */
const forms = new Map([
  ['decision', answerDecision],
  ['cancel', answerCancel],
  ['continue', answerAccountChoice],
])

async function interactionPages(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [, uid, form] = /^\/interaction\/([^/?]+)(?:\/(\w+))?/.exec(req.url ?? '') ?? []
  if (!uid) {
    res.writeHead(404).end()
    return
  }
  const request = await toRequest(req)
  const cookie = request.headers.get('cookie') ?? undefined
  const handle = forms.get(form ?? '')
  if (handle) return send(res, await handle(request, { uid }))
  const step = await nextStep(uid, cookie, await sessionFromCookies(cookie, visitorFrom(request.headers)))
  const answer =
    step.kind === 'redirect'
      ? new Response(null, { status: 307, headers: { location: step.to } })
      : Response.json({ kind: step.kind })
  return send(res, answer)
}

async function toRequest(req: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return new Request(new URL(req.url ?? '/', config().BASE_URL), {
    method: req.method,
    headers: req.headers as Record<string, string>,
    ...(body.length > 0 ? { body } : {}),
  })
}

async function send(res: ServerResponse, response: Response): Promise<void> {
  res.statusCode = response.status
  for (const [name, value] of response.headers) res.appendHeader(name, value)
  res.end(Buffer.from(await response.arrayBuffer()))
}
