import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { firstIdAt, highestId, lowestId } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import type { AuditEvent, Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { userOf } from '@/lib/policy/authorize'
import { requireWorkspace } from '@/lib/policy/require'
import { auditFilter, eventsMatching } from './list-events'
import { type EventNames, nameEvents } from './name-events'
import { recordEvent } from './record-event'
import { currentAction } from './renamed-actions'

/**
 * The first characters that can make a spreadsheet interpret a cell as a formula, including full-width forms.
 * Without escaping, a name that a user chose could run as a formula when someone opens the export (OWASP, CSV
 * injection).
 */
const startsFormula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** Returns a CSV cell. Adds an apostrophe before a possible formula, and quotes if RFC 4180 requires them. */
function cell(value: string): string {
  const inert = startsFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** Returns one CSV line (RFC 4180), including its line break. */
export const csvLine = (values: readonly string[]): string => `${values.map(cell).join(',')}\r\n`

/**
 * Returns an event for exports and streams, with its IDs and their known names. If the action was renamed,
 * the result contains its current name. The result contains no email addresses except those in the event's
 * details (ADR 0043).
 * @param event an event with its names, from nameEvents
 */
export const describeEvent = (event: AuditEvent & EventNames) => ({
  id: event.id,
  createdAt: event.createdAt.toISOString(),
  action: currentAction(event.action),
  actorKind: event.actorKind,
  userId: event.userId,
  userName: event.user,
  actorId: event.actorId,
  actorName: event.through,
  resourceType: event.resourceType,
  resourceId: event.resourceId,
  resourceName: event.subject,
  projectName: event.project,
  workspaceId: event.workspaceId,
  workspaceSlug: event.workspace?.slug ?? null,
  workspaceName: event.workspace?.name ?? null,
  ip: event.ip,
  userAgent: event.userAgent,
  details: event.details,
})

export type DescribedEvent = ReturnType<typeof describeEvent>

/**
 * The CSV columns, with the same names as in JSON. An additional last column contains the event's details as
 * JSON.
 */
const columns = [
  'id',
  'createdAt',
  'action',
  'actorKind',
  'userId',
  'userName',
  'actorId',
  'actorName',
  'resourceType',
  'resourceId',
  'resourceName',
  'projectName',
  'workspaceId',
  'workspaceSlug',
  'workspaceName',
  'ip',
  'userAgent',
] as const satisfies (keyof DescribedEvent)[]

/** The export formats. */
export const exportFormats = {
  ndjson: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (event: DescribedEvent) => `${JSON.stringify(event)}\n`,
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    head: csvLine([...columns, 'details']),
    line: (event: DescribedEvent) =>
      csvLine([...columns.map((column) => event[column] ?? ''), JSON.stringify(event.details)]),
  },
}

export type ExportFormat = keyof typeof exportFormats

/**
 * The maximum number of rows that each statement scans, including rows that do not match the filter. The
 * limit keeps each statement short.
 */
const step = 1_000

/** The conditions for the events to read. */
export type EventConditions = {
  /**
   * The part of the audit log to read: a workspace's events or all events. An index covers this condition.
   */
  place: Prisma.AuditEventWhereInput
  /** The filter, in addition to `place` and the period. */
  where: Prisma.AuditEventWhereInput
  since?: Date | null | undefined
  until?: Date | null | undefined
}

/**
 * Yields the matching events, oldest first, in batches of up to 1,000 scanned rows. Holds no connection or
 * snapshot between batches.
 * @param now the time at which reading starts; later events are not read, even if `until` is later
 * @yields the matching events of each batch, in the export format; never an empty list
 */
async function* readEvents(
  { place, where, since, until }: EventConditions,
  now: Date,
): AsyncGenerator<DescribedEvent[]> {
  const end = firstIdAt(until && until < now ? until : now)
  let begin: Prisma.UuidFilter = { gte: since ? firstIdAt(since) : lowestId }
  for (;;) {
    const [edge] = await prisma().auditEvent.findMany({
      where: { AND: [place, { id: { ...begin, lt: end } }] },
      select: { id: true },
      orderBy: { id: 'asc' },
      skip: step - 1,
      take: 1,
    })
    const rows = await prisma().auditEvent.findMany({
      where: { AND: [place, where, { id: { ...begin, lt: end, lte: edge?.id ?? highestId } }] },
      orderBy: { id: 'asc' },
    })
    if (rows.length > 0) yield (await nameEvents(rows)).map(describeEvent)
    if (!edge) return
    begin = { gt: edge.id }
  }
}

/** An export that was authorized but has not started. */
export type Export = {
  fileName: string
  mediaType: string
  /**
   * The export's text in chunks, which are read on demand. When reading starts, the export counts toward the
   * user's hourly limit, and an audit event records it, because an export reveals other users' actions.
   */
  text: AsyncGenerator<string>
}

/** The maximum number of exports per user per hour. */
export const exportsPerHour = 60

const exportLimit: AttemptLimit = {
  name: 'audit-exports',
  points: exportsPerHour,
  seconds: 3600,
  message: 'You have exported the audit log too many times. Try again in an hour.',
}

/**
 * Prepares an export of a workspace's audit events that match a filter, oldest first. Requires
 * `workspace:read-audit`. See ADR 0043.
 * @param filter a filter as in `auditFilter`
 * @throws AppError BAD_USER_INPUT, or the errors of `requireWorkspace`; when the text is read, RATE_LIMITED
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
  const allow = () => requireWorkspace(actor, 'workspace:read-audit', id)
  return prepareExport(actor, { name: slug, workspaceId: id, format, wanted, allow })
}

/**
 * Returns an export. The caller must first check that the actor can read the events.
 * @param options.name the beginning of the file name
 * @param options.workspaceId the workspace whose audit log records the export itself; null for the whole
 * instance
 * @param options.allow throws if the actor can no longer read the events. Called after each batch is read,
 * because a slow reader might have lost the role since.
 * @throws when the text is read, AppError RATE_LIMITED, and the errors of `allow`
 */
export function prepareExport(
  actor: Actor,
  options: {
    name: string
    workspaceId: string | null
    format: ExportFormat
    wanted: EventConditions
    allow?: () => Promise<unknown>
  },
): Export {
  const { name, workspaceId, format, wanted, allow } = options
  const { since, until } = wanted
  const { mediaType, head, line } = exportFormats[format]
  async function* text(): AsyncGenerator<string> {
    const now = new Date()
    await countAttempt(exportLimit, userOf(actor))
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
    for await (const events of readEvents(wanted, now)) {
      await allow?.()
      yield events.map(line).join('')
    }
  }
  return { fileName: `${fileName(name, since, until)}.${format}`, mediaType, text: text() }
}

/**
 * Returns a file name without its extension, such as `audit-log-acme-2026-11-01-to-2026-11-22`. Omits the
 * first date if the export has no start. The last date is the last day of the export's period.
 */
function fileName(name: string, since: Date | null | undefined, until: Date | null | undefined): string {
  const day = (moment: Date) => moment.toISOString().slice(0, 10)
  const last = day(until ? new Date(until.getTime() - 1) : new Date())
  return ['audit-log', name, ...(since ? [day(since)] : []), 'to', last].join('-')
}
