import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@/lib/base/errors/app-error'
import { isSameOrigin } from '@/lib/base/http/body'
import { requestId } from '@/lib/base/log/request-scope'
import { explorerToken } from '@/lib/features/api-tokens/explorer-token'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { addressOf } from './authenticate'
import { handleGraphQL } from './handler'
import { presentAnswer } from './present-answer'
import { writeResponse } from './transport'

/**
 * POST /graphql/explorer/ask: an operation of the person who is signed in to this browser, sent by the explorer's own page. It
 * is carried out as POST /graphql/v2 with a token of theirs that the browser never sees; a token that was sent along counts
 * for nothing. Whoever is not signed in may read the schema, as there.
 * As a cookie speaks for the person, the request must come from a page of ours, as JSON. See ADR 0040.
 */
export async function handleExplorer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const traceId = requestId() ?? ''
  const headers: Record<string, string> = {}
  const refused = await presentAnswer(traceId, {}, headers, async () => {
    checkSender(req, headers)
    await stepIn(req)
    return {}
  })
  if (!refused.errors) return handleGraphQL(req, res)
  const status =
    'allow' in headers ? 405 : refused.errors[0]?.extensions.code === 'FORBIDDEN' ? 403 : refused.status
  writeResponse(req, res, status, { errors: refused.errors, extensions: { traceId } }, headers)
}

function checkSender({ method, headers: sent }: IncomingMessage, headers: Record<string, string>): void {
  if (method !== 'POST') {
    headers.allow = 'POST'
    throw new AppError('BAD_REQUEST', 'Send the operation with POST.')
  }
  if (!isSameOrigin({ get: (name) => sent[name] as string | undefined })) {
    throw new AppError('FORBIDDEN', 'Only the explorer can send operations with a browser session.')
  }
}

/** From here on the request is one with a token, or without any. */
async function stepIn(req: IncomingMessage): Promise<void> {
  const { cookie, 'user-agent': userAgent } = req.headers
  const ip = addressOf(req)
  const visitor = { ...(ip && { ip }), ...(userAgent && { userAgent: userAgent.slice(0, 500) }) }
  const session = await sessionFromCookies(cookie, visitor)
  for (const name of ['authorization', 'project-access-token', 'dpop', 'cookie']) delete req.headers[name]
  // One answer, and no stream: the explorer's page shows one, and what carries it here holds it whole.
  req.headers.accept = 'application/json'
  if (session) req.headers.authorization = `Bearer ${await explorerToken(session.actor)}`
}
