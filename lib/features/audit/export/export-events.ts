import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import type { Actor } from '@/lib/policy/actor'
import { personOf } from '@/lib/policy/authorize'
import { requireWorkspace } from '@/lib/policy/require'
import { auditFilter, eventsMatching } from '../list-events'
import { recordEvent } from '../record-event'
import { type ExportFormat, exportFormats } from './formats'
import { readEvents, type Wanted } from './read-events'

/** An export that was allowed, and has not begun. */
export type Export = {
  fileName: string
  mediaType: string
  /** Its text, piece by piece, read as it is asked for. Beginning is counted, and recorded: it tells what others did. */
  text: AsyncGenerator<string>
}

/** For one person. */
export const exportsPerHour = 60

const exportLimit: AttemptLimit = {
  name: 'audit-exports',
  points: exportsPerHour,
  seconds: 3600,
  message: 'You have exported the audit log many times within an hour. Wait a while, then try again.',
}

/**
 * Exports a workspace's audit log, the oldest event first. Takes `workspace:read-audit`.
 * See decision 124.
 * @param filter see `auditFilter`
 * @throws AppError BAD_USER_INPUT, and as `authorizeWorkspace`; its text RATE_LIMITED
 */
export async function exportEvents(
  actor: Actor,
  workspaceId: string,
  filter: unknown,
  format: ExportFormat,
): Promise<Export> {
  const parsed = parseInput(auditFilter, filter)
  const { id, slug } = await requireWorkspace(actor, 'workspace:read-audit', workspaceId)
  const { since, until } = parsed
  const wanted = { place: { workspaceId: id }, where: eventsMatching(parsed), since, until }
  return prepareExport(actor, { name: slug, workspaceId: id, format, wanted })
}

/**
 * What an export is, once it is allowed.
 * @param options.name what the file is called after
 * @param options.workspaceId in whose log the export itself is recorded
 */
export function prepareExport(
  actor: Actor,
  options: { name: string; workspaceId: string | null; format: ExportFormat; wanted: Wanted },
): Export {
  const { name, workspaceId, format, wanted } = options
  const { since, until } = wanted
  const { mediaType, head, line } = exportFormats[format]
  async function* text(): AsyncGenerator<string> {
    const now = new Date()
    await countAttempt(exportLimit, personOf(actor))
    await prisma().$transaction((tx) =>
      recordEvent(tx, actor, {
        action: 'audit_log.exported',
        resource: { type: 'audit_log', id: workspaceId ?? 'all' },
        workspaceId,
        details: {
          format,
          ...(since ? { since: since.toISOString() } : {}),
          ...(until ? { until: until.toISOString() } : {}),
        },
      }),
    )
    if (head) yield head
    for await (const events of readEvents(wanted, now)) yield events.map(line).join('')
  }
  return { fileName: `${fileName(name, since, until)}.${format}`, mediaType, text: text() }
}

/** Such as `audit-log-acme-2026-11-01-to-2026-11-22`, the last day included. */
function fileName(name: string, since: Date | null | undefined, until: Date | null | undefined): string {
  const day = (moment: Date) => moment.toISOString().slice(0, 10)
  const last = day(until ? new Date(until.getTime() - 1) : new Date())
  return ['audit-log', name, ...(since ? [day(since)] : []), 'to', last].join('-')
}
