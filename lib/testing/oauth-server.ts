import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { config } from '@/lib/config/env'
import { handleOAuth } from '@/lib/oauth/handler'
import { answerDecision } from '@/lib/oauth/interaction/answer-decision'
import { nextStep } from '@/lib/oauth/interaction/next-step'
import { visitorFrom } from '@/lib/web/current-session'
import { sessionFromCookies } from '@/lib/web/session'

/**
 * The OAuth endpoints on a real socket, with the interaction pages reduced to what decides: `GET /interaction/:uid`
 * answers the step as JSON (or its redirect), `POST /interaction/:uid/decision` is the product's own.
 */
export async function startOAuthServer(): Promise<{ close: () => Promise<void> }> {
  const server = createServer((req, res) => {
    route(req, res).catch((error) => {
      console.error(error)
      res.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(config().PORT, '127.0.0.1', resolve))
  return {
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function route(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [, uid, decision] = /^\/interaction\/([^/?]+)(\/decision)?/.exec(req.url ?? '') ?? []
  if (!uid) return handleOAuth(req, res)
  const request = await toRequest(req)
  if (decision) return send(res, await answerDecision(request, uid))
  const cookie = request.headers.get('cookie') ?? undefined
  const session = await sessionFromCookies(cookie, visitorFrom(request.headers))
  const step = await nextStep(uid, cookie, session)
  if (step.kind === 'redirect')
    return send(res, new Response(null, { status: 307, headers: { location: step.to } }))
  return send(res, Response.json({ kind: step.kind }))
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
