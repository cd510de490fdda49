import { AppError, badInput } from '@/lib/base/errors/app-error'
import { errorCodes } from '@/lib/base/errors/codes'
import { answerWith, toUserError } from '@/lib/base/http/answers'
import { visitorFrom } from '@/lib/base/http/visitor'
import { exportActivity } from '@/lib/features/apps/activity/list-activity'
import { activityKindNames } from '@/lib/features/apps/activity/note-activity'
import {
  type Export,
  type ExportFormat,
  exportEvents,
  exportFormats,
} from '@/lib/features/audit/export-events'
import { countRequest } from '@/lib/features/figures/count-usage'
import { exportOwnData } from '@/lib/features/identity/export-own-data'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { exportInstanceEvents } from '@/lib/features/instance-admin/list-instance-events'
import { type Actor, isApp, type SessionActor } from '@/lib/policy/actor'
import { callerFromBearer } from '@/lib/policy/bearer'
import { requireTwoFactor } from '@/lib/policy/two-factor'
import { dayOf, oneOf, type SearchParams, searchOf, textOf } from './console/list-page'

/** A file that is generated while it is downloaded. */
type ReadFile = { fileName: string; mediaType: string; text: AsyncGenerator<string> }

/**
 * Returns a response that streams a file at the speed at which the client reads it. For a HEAD request, the
 * response has no body.
 * @throws the errors that occur before the file's first chunk
 */
async function sendFile(request: Request, { fileName, mediaType, text }: ReadFile): Promise<Response> {
  const headers = {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
  }
  // Do not start the export for a HEAD request, because the export would be recorded and counted.
  if (request.method === 'HEAD') return new Response(null, { headers })
  // Await the first chunk, so that an error before any data is sent can still set the status.
  const first = await text.next()
  return new Response(flow(first, text), { headers })
}

/**
 * Returns the response for an error, with the error's status: `{ error, code }`, and `field` for an invalid
 * parameter. Adds a Retry-After header if the error contains a waiting time, and a WWW-Authenticate header
 * for UNAUTHENTICATED.
 */
function refuseExport(thrown: unknown): Response {
  const error = toUserError(thrown)
  const { field, retryAfter } = error.details
  const body = { error: error.message, code: error.code, ...(field === undefined ? {} : { field }) }
  return answerWith(errorCodes[error.code].http, body, {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(error.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {}),
  })
}

/**
 * Returns the actor of the browser session that sent the request. Rejects requests that another site started.
 * @throws AppError FORBIDDEN, UNAUTHENTICATED
 */
async function actorOfPage(request: Request): Promise<SessionActor> {
  // An export is recorded and counted, so a link on another site must not trigger it.
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none')
    throw new AppError(
      'FORBIDDEN',
      'Exports can’t be started from another site. Open this instance and start the export there.',
    )
  const visitor = visitorFrom(request.headers)
  const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
  if (!session) throw new AppError('UNAUTHENTICATED')
  return session.actor
}

/**
 * Returns a stream that sends the first chunk, and generates each other chunk only after the client has read
 * the previous one. Stops the generator when the client disconnects.
 */
function flow(first: IteratorResult<string>, rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: IteratorResult<string> | undefined = first
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = next ?? (await rest.next())
        next = undefined
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await rest.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Handles GET /audit-log/export: downloads an audit log. `format` is ndjson (the default) or csv. `since` and
 * `until` are inclusive UTC days. With `workspaceId`, it exports that workspace's log, filtered by `action`
 * and `user`. A workspace's export requires an API token or a browser session, and permission to read the
 * log. Without `workspaceId`, it exports all events on the instance, filtered by `search`, `user`, and
 * `workspace`, and requires an instance admin's browser session.
 * @returns the file as a stream, or `{ error, code }` with the error's status
 */
export async function answerAuditExport(request: Request): Promise<Response> {
  try {
    const actor = await whoAsks(request)
    const audit = await findExport(actor, Object.fromEntries(new URL(request.url).searchParams))
    return await sendFile(request, audit)
  } catch (thrown) {
    return refuseExport(thrown)
  }
}

async function whoAsks(request: Request): Promise<Actor> {
  const visitor = visitorFrom(request.headers)
  const authorization = request.headers.get('authorization')
  if (authorization !== null) {
    const caller = await callerFromBearer(/^bearer +(.*)$/i.exec(authorization)?.[1]?.trim() ?? '', visitor)
    if (!caller)
      throw new AppError('UNAUTHENTICATED', 'The token is unknown, expired, or revoked. Send a valid token.')
    if (isApp(caller.actor))
      throw new AppError(
        'FORBIDDEN',
        'Apps can’t export audit logs. Use an API token, or read the audit log with the GraphQL API.',
      )
    requireTwoFactor(caller.actor, 'anything')
    const { allowed, limited, limit, resetsIn } = countRequest(caller.credential, caller.actor.userId)
    if (!allowed)
      throw new AppError(
        'RATE_LIMITED',
        `${limited} reached the limit of ${limit} requests per hour. Try again later.`,
        {
          retryAfter: resetsIn,
        },
      )
    return caller.actor
  }
  return actorOfPage(request)
}

function findExport(actor: Actor, query: SearchParams): Promise<Export> {
  const format = textOf(query, 'format') || 'ndjson'
  if (!Object.hasOwn(exportFormats, format)) throw badInput('format', 'The format must be ndjson or csv.')
  const time = { since: day(query, 'since')?.begins, until: day(query, 'until')?.ends }
  const workspaceId = textOf(query, 'workspaceId')
  const user = textOf(query, 'user')
  if (workspaceId) {
    const filter = { action: textOf(query, 'action') || null, userId: user || null, ...time }
    return exportEvents(actor, workspaceId, filter, format as ExportFormat)
  }
  const filter = { search: textOf(query, 'search'), user, workspace: textOf(query, 'workspace'), ...time }
  return exportInstanceEvents(actor, filter, format as ExportFormat)
}

function day(query: SearchParams, name: string) {
  const found = dayOf(query, name)
  if (!found && textOf(query, name)) throw badInput(name, 'Enter a day in the format 2026-11-22.')
  return found
}

/**
 * Handles GET .../settings/developer/:clientId/activity/export: downloads the list on the activity page as
 * CSV, with the same filters `kind` and `search` as on the page. Requires a browser session of a user who can
 * manage the app.
 */
export async function answerActivityExport(request: Request, clientId: string): Promise<Response> {
  try {
    const actor = await actorOfPage(request)
    const query = Object.fromEntries(new URL(request.url).searchParams)
    const kind = oneOf(query, 'kind', activityKindNames)
    if (!kind && textOf(query, 'kind'))
      throw badInput('kind', `The kind must be one of ${activityKindNames.join(', ')}.`)
    const filter = { kind, search: searchOf(query) }
    const mediaType = 'text/csv; charset=utf-8; header=present'
    return await sendFile(request, { ...(await exportActivity(actor, clientId, filter)), mediaType })
  } catch (thrown) {
    return refuseExport(thrown)
  }
}

/** Handles GET /account/data/export: downloads the user's data. Requires the user's browser session. */
export async function answerOwnData(request: Request): Promise<Response> {
  try {
    return await sendFile(request, exportOwnData(await actorOfPage(request)))
  } catch (thrown) {
    return refuseExport(thrown)
  }
}
