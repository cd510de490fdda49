import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '@/lib/base/config/env'
import { toOutageError } from '@/lib/base/db/database-errors'
import { type AppError, isAppError } from '@/lib/base/errors/app-error'
import { type ErrorCode, errorCodes } from '@/lib/base/errors/codes'
import { sendJson } from '@/lib/base/http/answers'
import { BodyTooLong } from '@/lib/base/http/body'
import { corsHeaders, sendPreflight } from '@/lib/base/http/origin'
import { log } from '@/lib/base/log/log'
import { requestId } from '@/lib/base/log/request-scope'
import { refusals } from '@/lib/base/telemetry/metrics'
import { type Actor, isApp } from '@/lib/policy/actor'
import { allScopes, type Scope } from '@/lib/policy/scopes'
import type { ApiAnswer } from './tools/api'

/**
 * An HTTP response that rejects a whole request. It has an error status, because some clients check only the
 * status, not the JSON-RPC result.
 */
export type Refusal = {
  status: number
  code: ErrorCode
  /**
   * The numeric code of the JSON-RPC error (JSON-RPC 2.0, section 5.1). Most errors have the general code
   * -32000.
   */
  rpcCode: number
  message: string
  headers: Record<string, string>
}

type Overrides = Partial<Omit<Refusal, 'code'>>

/**
 * Counts an error in the metrics and returns the response for it. By default, the response has the status and
 * the message of the error code.
 */
export function mcpError(code: ErrorCode, words: Overrides = {}): Refusal {
  refusals.add({ edge: 'mcp', code })
  return withMessage(code, words)
}

const withMessage = (
  code: ErrorCode,
  { status, rpcCode = -32_000, message, headers = {} }: Overrides,
): Refusal => ({
  status: status ?? errorCodes[code].http,
  code,
  rpcCode,
  message: message ?? errorCodes[code].message,
  headers,
})

/**
 * Counts an error that ended a request, and returns the response for it. For an unexpected error, logs the
 * error and omits its message from the response.
 */
export function toMcpError(error: unknown): Refusal {
  if (error instanceof BodyTooLong)
    return mcpError('BAD_REQUEST', {
      status: 413,
      message: 'The message is too long. Send a shorter message.',
    })
  const known: AppError | undefined = isAppError(error) ? error : toOutageError(error, 'mcp')
  if (known)
    return mcpError(known.code, { message: known.message, headers: retryAfter(known.details.retryAfter) })
  log.error('an MCP request failed', { error })
  return mcpError('INTERNAL_SERVER_ERROR')
}

/**
 * Returns the response for an API error that was already counted. If there are several errors, a missing
 * scope takes precedence. This response replaces the JSON-RPC result, because clients check only the status
 * to decide whether to request scopes or wait.
 * @param actor the caller; the WWW-Authenticate header for a missing scope also lists the caller's current
 * scopes
 */
export function mcpErrorFromApi({ errors = [], status }: ApiAnswer, actor: Actor): Refusal {
  const allLacking = errors.filter(({ extensions }) => extensions.code === 'INSUFFICIENT_SCOPE')
  const [lacking] = allLacking
  const { message, extensions } = lacking ?? errors[0] ?? { message: undefined, extensions: {} as never }
  const headers = retryAfter(extensions.retryAfter)
  if (lacking) {
    const missing = new Set(allLacking.map((error) => String(error.extensions.requiredScope)))
    headers['www-authenticate'] = insufficientScope(actor, [...missing])
  }
  return withMessage((extensions.code ?? 'SERVICE_UNAVAILABLE') as ErrorCode, {
    status: lacking ? 403 : status,
    ...(message ? { message } : {}),
    headers,
  })
}

const retryAfter = (seconds: unknown): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }

/**
 * The scopes that clients should request first. They are enough to read the selected resources. If a tool
 * needs more scopes, the response lists them.
 */
const leastScopes: readonly Scope[] = ['openid', 'profile', 'workspace:viewer']

/**
 * Returns the WWW-Authenticate header for a request without a usable token (RFC 9728 section 5.1, RFC 6750
 * section 3).
 * @param sentToken whether an unusable token was sent
 */
export const unauthenticated = (sentToken: boolean): string =>
  challenge({
    ...(sentToken
      ? {
          error: 'invalid_token',
          error_description: 'The token is unknown, expired, revoked, or issued for another resource.',
        }
      : {}),
    scope: leastScopes.join(' '),
  })

/**
 * Returns the WWW-Authenticate header for a token that lacks scopes (RFC 6750 section 3.1). The header lists
 * the current scopes and the missing scopes. Clients request exactly the listed scopes for the new token and
 * would lose an omitted scope.
 * @param actor the caller with the token
 * @param missing the required scopes that the token lacks
 */
function insufficientScope(actor: Actor, missing: readonly string[]): string {
  const named = new Set<string>([...(isApp(actor) ? actor.scopes : []), ...missing])
  // Add `openid` if the user must sign in again for the new token, because sign-in requires this scope. An
  // SSO-managed app has no authorization and gets the token without a sign-in.
  if (actor.kind === 'oauth' && actor.authorizationId !== null) named.add('openid')
  return challenge({
    error: 'insufficient_scope',
    error_description: `This action requires the scope ${missing.join(' ')}.`,
    scope: allScopes.filter((scope) => named.has(scope)).join(' '),
  })
}

const challenge = (parameters: Record<string, string>): string => {
  const metadata = `${config().BASE_URL}/.well-known/oauth-protected-resource/mcp`
  const all = Object.entries({ ...parameters, resource_metadata: metadata })
  return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}

/**
 * Returns the headers that allow pages of the request's origin to read the response. Does not check the
 * origin.
 */
const corsOf = ({ headers: { origin } }: IncomingMessage): Record<string, string> =>
  corsHeaders(origin || undefined, 'mcp-protocol-version')

const always = (req: IncomingMessage): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-trace-id': requestId() ?? '',
  ...corsOf(req),
})

/** Answers the CORS preflight of an allowed origin. */
export const writePreflight = (req: IncomingMessage, res: ServerResponse): void =>
  sendPreflight(req, res, corsOf(req), 'authorization, content-type, mcp-protocol-version')

/**
 * Sends a response that rejects a whole request: the error status, and a JSON-RPC error with the trace ID.
 */
export function writeRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  { status, code, rpcCode, message, headers: own }: Refusal,
  headers: Record<string, string>,
): void {
  const error = { code: rpcCode, message, data: { code, traceId: requestId() } }
  sendJson(res, status, { jsonrpc: '2.0', id: null, error }, { ...always(req), ...headers, ...own })
}

/**
 * Sends a response that the MCP library generated: JSON, or the events of a finished stream. The status is
 * known only when the response is complete, so nothing is sent earlier.
 * @param body the complete response body
 */
export function writeAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers: own }: Response,
  body: Buffer,
  headers: Record<string, string>,
): void {
  res.writeHead(status, {
    ...Object.fromEntries(own),
    'content-length': body.length,
    ...always(req),
    ...headers,
  })
  res.end(body)
}
