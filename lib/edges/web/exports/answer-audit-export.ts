import { AppError, badInput } from '@/lib/base/errors/app-error'
import { visitorFrom } from '@/lib/base/http/visitor'
import {
  type Export,
  type ExportFormat,
  exportEvents,
  exportFormats,
} from '@/lib/features/audit/export-events'
import { countRequest } from '@/lib/features/figures/count-request'
import { exportInstanceEvents } from '@/lib/features/operator/list-instance-events'
import { type Actor, isApp } from '@/lib/policy/actor'
import { callerFromBearer } from '@/lib/policy/bearer'
import { requireSecondFactor } from '@/lib/policy/two-factor'
import { dayOf, type SearchParams, textOf } from '../console/list-page'
import { refuseExport, sendFile, whoLooks } from './send-file'

/**
 * GET /audit-log/export: what an audit log tells, as a file. `format` is ndjson or csv; `since` and `until` are days (UTC), both
 * included. With `workspaceId`, that workspace's log, narrowed by `action` and `person`; without, everything, for the operator
 * in a browser session alone, narrowed by `search`, `person` and `workspace`. Who asks is said by an API token, or by the
 * session of a browser that is on a page of ours.
 * @returns the file, sent as fast as it is read and no faster; else what was refused as `{ error }` under its own status
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
    if (!caller) throw new AppError('UNAUTHENTICATED', 'The token is unknown, expired or revoked.')
    if (isApp(caller.actor))
      throw new AppError(
        'FORBIDDEN',
        'Apps read the audit log by the GraphQL API; exports take an API token.',
      )
    requireSecondFactor(caller.actor, 'anything')
    const { allowed, limited, limit, resetsIn } = countRequest(caller.credential, caller.actor.userId)
    if (!allowed)
      throw new AppError('RATE_LIMITED', `${limited} may send ${limit} requests an hour.`, {
        retryAfter: resetsIn,
      })
    return caller.actor
  }
  return whoLooks(request)
}

function findExport(actor: Actor, query: SearchParams): Promise<Export> {
  const format = textOf(query, 'format') || 'ndjson'
  if (!Object.hasOwn(exportFormats, format)) throw badInput('format', 'Must be ndjson or csv.')
  const time = { since: day(query, 'since')?.begins, until: day(query, 'until')?.ends }
  const workspaceId = textOf(query, 'workspaceId')
  const person = textOf(query, 'person')
  if (workspaceId) {
    const filter = { action: textOf(query, 'action') || null, userId: person || null, ...time }
    return exportEvents(actor, workspaceId, filter, format as ExportFormat)
  }
  const filter = { search: textOf(query, 'search'), person, workspace: textOf(query, 'workspace'), ...time }
  return exportInstanceEvents(actor, filter, format as ExportFormat)
}

function day(query: SearchParams, name: string) {
  const found = dayOf(query, name)
  if (!found && textOf(query, name)) throw badInput(name, 'Must be a day such as 2026-11-22.')
  return found
}
