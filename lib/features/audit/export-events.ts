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
 * Characters that start a formula in a spreadsheet (OWASP, CSV injection), including full-width forms. Users
 * choose names, so a name could otherwise run a formula on a reader's machine.
 */
const startsFormula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** Returns a cell: an apostrophe before a possible formula, quotes where RFC 4180 requires them. */
function cell(value: string): string {
  const inert = startsFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** Returns one line of CSV (RFC 4180), with its line break. */
export const csvLine = (values: readonly string[]): string => `${values.map(cell).join(',')}\r\n`

/**
 * Returns an event for exports and streams, with the names that are known now and the IDs. It contains no IP
 * addresses of users except those in the event itself (ADR 0018).
 * @param event with its names, as nameEvents returns it
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

/** The columns of CSV, named as in the JSON. The last one contains all other details as JSON. */
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

/** The formats of an export. */
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

/** The number of rows that one statement scans, whether they match or not, so that none takes long. */
const step = 1_000

/** Which events to read. */
export type RequestedScopes = {
  /** The part of the log that an index covers: one workspace, or all of it. */
  place: Prisma.AuditEventWhereInput
  /** Further conditions. */
  where: Prisma.AuditEventWhereInput
  since?: Date | null | undefined
  until?: Date | null | undefined
}

/**
 * Yields events, oldest first, after each thousand rows of the log. Between two reads, it holds no connection
 * and no snapshot.
 * @param now the end of the export; later events are not read
 * @yields the matching events of each thousand rows, described; never an empty list
 */
async function* readEvents(
  { place, where, since, until }: RequestedScopes,
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

/** An export that was authorized and has not started. */
export type Export = {
  fileName: string
  mediaType: string
  /**
   * Its text in chunks, read on demand. Starting it counts against the limit and is recorded, because it
   * reveals other users' actions.
   */
  text: AsyncGenerator<string>
}

/** The limit for each user. */
export const exportsPerHour = 60

const exportLimit: AttemptLimit = {
  name: 'audit-exports',
  points: exportsPerHour,
  seconds: 3600,
  message: 'You have exported the audit log too many times within an hour. Try again later.',
}

/**
 * Exports a workspace's audit log, oldest first. Requires `workspace:read-audit`. See ADR 0043.
 * @param filter see `auditFilter`
 * @throws AppError BAD_USER_INPUT, and as `authorizeWorkspace`; while the text is read, RATE_LIMITED
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
 * Returns an authorized export.
 * @param options.name the name for the file
 * @param options.workspaceId the log that records the export itself
 */
export function prepareExport(
  actor: Actor,
  options: { name: string; workspaceId: string | null; format: ExportFormat; wanted: RequestedScopes },
): Export {
  const { name, workspaceId, format, wanted } = options
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
    for await (const events of readEvents(wanted, now)) yield events.map(line).join('')
  }
  return { fileName: `${fileName(name, since, until)}.${format}`, mediaType, text: text() }
}

/** Returns a name such as `audit-log-acme-2026-11-01-to-2026-11-22`, including the last day. */
function fileName(name: string, since: Date | null | undefined, until: Date | null | undefined): string {
  const day = (moment: Date) => moment.toISOString().slice(0, 10)
  const last = day(until ? new Date(until.getTime() - 1) : new Date())
  return ['audit-log', name, ...(since ? [day(since)] : []), 'to', last].join('-')
}
