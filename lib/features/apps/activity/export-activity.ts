import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'
import { prisma } from '@/lib/base/db/prisma'
import { csvLine } from '@/lib/features/audit/export/csv'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { personOf } from '@/lib/policy/authorize'
import { requireApp } from '../require-app'
import { type ActivityFilter, everyActivity } from './list-activity'

const limit: AttemptLimit = {
  name: 'activity-exports',
  points: 60,
  seconds: 3600,
  message: 'You have exported the activity of apps many times within an hour. Wait a while, then try again.',
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
 * What happened around an app in the last 30 days as CSV (RFC 4180), the latest first.
 * @returns the name of the file, and its text piece by piece
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` for `workspace:manage-apps`; its text RATE_LIMITED
 */
export async function exportActivity(
  actor: Actor,
  clientId: string,
  filter: ActivityFilter,
): Promise<{ fileName: string; text: AsyncGenerator<string> }> {
  const app = await requireApp(actor, clientId)
  async function* text() {
    await countAttempt(limit, personOf(actor))
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
