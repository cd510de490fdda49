import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { type CountedSlice, cutPage, keysetQuery, likeLiteral, type Page } from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { csvLine } from '@/lib/features/audit/export-events'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { AppEvent, Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { userOf } from '@/lib/policy/authorize'
import { limitScopes } from '@/lib/policy/scopes'
import { type OAuthApp, requireApp } from '../require-app'
import { knownColumns, knownOfUser } from './list-users'
import { type ActivityKind, gatheredActivity } from './note-activity'

/** An app event, with the user details that the app's admins can see (`knownOfUser`). */
export type AppActivity = Omit<AppEvent, 'clientId' | 'kind'> & {
  kind: ActivityKind
  name: string | null
  email: string | null
}

/** A filter for events. Default: all events. */
export type ActivityFilter = {
  kind?: ActivityKind | null | undefined
  /** A user ID, an IP address, a trace ID, or part of an error code or reason. */
  search?: string | null | undefined
}

const days = 30

/**
 * Returns one page of an app's events in the last 30 days that match a filter, latest first, and a function
 * that counts all of them.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function listActivity(
  actor: Actor,
  clientId: string,
  page: Page,
  filter: ActivityFilter = {},
): Promise<CountedSlice<AppActivity>> {
  const app = await requireApp(actor, clientId)
  // Write the events that this process gathered in the last second, so that the result includes them.
  await gatheredActivity.now()
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const where = matching(app, filter)
  const rows = await prisma().appEvent.findMany({ where: { AND: [where, { id: bounds }] }, ...window })
  return {
    ...cutPage(page, await named(app, rows)),
    count: () => prisma().appEvent.count({ where }),
  }
}

/**
 * Yields an app's events in the last 30 days that match a filter, latest first, in batches of up to 200.
 * @throws the errors of `listActivity`
 */
async function* everyActivity(
  actor: Actor,
  clientId: string,
  filter: ActivityFilter,
): AsyncGenerator<AppActivity[]> {
  for (let after: string | null = null; ; ) {
    const page: Page = { limit: 200, backward: false, after, before: null }
    const { rows, hasNextPage } = await listActivity(actor, clientId, page, filter)
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.id ?? null
    if (!hasNextPage) return
  }
}

function matching({ id }: OAuthApp, { kind, search }: ActivityFilter): Prisma.AppEventWhereInput {
  const since = new Date(Date.now() - days * 86_400_000)
  const text = search?.trim() ?? ''
  const part = { contains: likeLiteral(text), mode: 'insensitive' as const }
  return {
    clientId: id,
    createdAt: { gte: since },
    ...(kind ? { kind } : {}),
    ...(text && {
      OR: [
        ...(isId(text) ? [{ userId: text }] : []),
        { ip: text },
        { traceId: text },
        { error: part },
        { detail: part },
      ],
    }),
  }
}

/**
 * Adds the user details that the user's current authorization and the app's allowed scopes permit. After a
 * revocation, events show only the user's ID, unless the user is a member of the app's workspace.
 */
async function named({ id, workspaceId, allowedScopes }: OAuthApp, rows: AppEvent[]): Promise<AppActivity[]> {
  const userIds = [...new Set(rows.flatMap(({ userId }) => userId ?? []))]
  const users = await prisma().user.findMany({
    where: { id: { in: userIds } },
    select: {
      id: true,
      ...knownColumns(workspaceId),
      authorizations: { where: { clientId: id }, select: { scopes: true } },
    },
  })
  const byId = new Map(users.map((user) => [user.id, user]))
  return rows.map(({ clientId: _, kind, ...row }) => {
    const user = byId.get(row.userId ?? '')
    const given = limitScopes(user?.authorizations[0]?.scopes ?? [], allowedScopes)
    const known = user && knownOfUser(user, given)
    return {
      ...row,
      kind: kind as ActivityKind,
      name: known?.name ?? null,
      email: known?.email ?? null,
    }
  })
}

const limit: AttemptLimit = {
  name: 'activity-exports',
  points: 60,
  seconds: 3600,
  message: 'You have exported app activity too many times within an hour. Try again later.',
}

const columns = [
  'createdAt',
  'kind',
  'userId',
  'name',
  'email',
  'scopes',
  'error',
  'detail',
  'ip',
  'userAgent',
  'traceId',
] as const

/**
 * Returns a CSV file (RFC 4180) with an app's events in the last 30 days that match a filter, latest first.
 * @returns the file name, and the text in chunks. The audit event is recorded when the caller starts to read
 * the text.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for `workspace:manage-apps`. Reading the
 * text throws the same errors, RATE_LIMITED after too many exports, and the errors of `userOf`.
 */
export async function exportActivity(
  actor: Actor,
  clientId: string,
  filter: ActivityFilter,
): Promise<{ fileName: string; text: AsyncGenerator<string> }> {
  const app = await requireApp(actor, clientId)
  async function* text() {
    await countAttempt(limit, userOf(actor))
    await recordEvent(prisma(), actor, {
      action: 'oauth_app.activity_exported',
      resource: { type: 'oauth_app', id: app.id },
      workspaceId: app.workspaceId,
    })
    yield csvLine(columns)
    for await (const rows of everyActivity(actor, app.id, filter)) yield rows.map(line).join('')
  }
  return { fileName: `activity-${app.id}-${new Date().toISOString().slice(0, 10)}.csv`, text: text() }
}

type Row = Parameters<typeof line>[0]

function line(row: { [Name in (typeof columns)[number]]: Date | string | string[] | null }): string {
  const cellOf = (value: Row[keyof Row]) =>
    value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(' ') : (value ?? '')
  return csvLine(columns.map((column) => cellOf(row[column])))
}
