import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@/lib/base/errors/app-error'
import { isSameOrigin } from '@/lib/base/http/body'
import { requestAddress } from '@/lib/base/http/client-address'
import { requestId } from '@/lib/base/log/request-scope'
import { explorerToken } from '@/lib/features/api-tokens/explorer-token'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { handleGraphQL } from './handler'
import { presentAnswer } from './present-answer'
import { writeResponse } from './transport'

/**
 * Handles POST /graphql/explorer/ask by executing an operation that the explorer page sends for the signed-in
 * user. The operation runs as on POST /graphql/v2, with a token for the session. The browser never receives
 * this token. Tokens in the request are ignored. Without a session, only the schema can be read. Because the
 * session cookie authenticates the request, requests from the pages of other sites are rejected. See
 * ADR 0025.
 */
export async function handleExplorer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const traceId = requestId() ?? ''
  const headers: Record<string, string> = {}
  const refused = await presentAnswer(traceId, {}, headers, async () => {
    checkSender(req, headers)
    await answerForSession(req)
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
    throw new AppError(
      'BAD_REQUEST',
      'This endpoint accepts only POST. Send the operation in a POST request.',
    )
  }
  if (!isSameOrigin({ get: (name) => sent[name] as string | undefined })) {
    throw new AppError(
      'FORBIDDEN',
      'Only the API explorer can send operations with a browser session. Use a token instead.',
    )
  }
}

/**
 * Replaces the credentials in a request with a token for the session that its cookies identify. If there is
 * no session, only removes the credentials. Also sets the Accept header to JSON.
 */
async function answerForSession(req: IncomingMessage): Promise<void> {
  const { cookie, 'user-agent': userAgent } = req.headers
  const ip = requestAddress(req)
  const visitor = { ...(ip && { ip }), ...(userAgent && { userAgent: userAgent.slice(0, 500) }) }
  const session = await sessionFromCookies(cookie, visitor)
  for (const name of ['authorization', 'project-access-token', 'dpop', 'cookie']) delete req.headers[name]
  // Accept only JSON, so that subscriptions are rejected. The explorer page waits for the whole response and
  // cannot read a stream.
  req.headers.accept = 'application/json'
  if (session) req.headers.authorization = `Bearer ${await explorerToken(session.actor)}`
}
