import { statement } from '@/lib/base/db/statement'
import { settleLater } from '@/lib/base/process/tally'
import { type Count, counts } from './request-counts'

/** Ids are sorted, so that two replicas that settle at once take their row locks in the same order. */
const addCounts = statement<
  { id: string; requests: number },
  [ids: string[], hours: Date[], added: number[]]
>(
  'settle-request-counts',
  `INSERT INTO request_counts AS known (credential_id, hour, requests)
   SELECT id, hour, added FROM unnest($1::uuid[], $2::timestamptz[], $3::int[]) AS t(id, hour, added) ORDER BY id
   ON CONFLICT (credential_id, hour) DO UPDATE SET requests = known.requests + excluded.requests
   RETURNING credential_id AS id, requests`,
)

const touch = {
  api_tokens: statement<never, [ids: string[]]>(
    'touch-api-tokens',
    `UPDATE api_tokens SET last_used_at = now()
      WHERE id IN (SELECT id FROM api_tokens WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)`,
  ),
  authorizations: statement<never, [ids: string[]]>(
    'touch-authorizations',
    `UPDATE authorizations SET last_used_at = now()
      WHERE id IN (SELECT id FROM authorizations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)`,
  ),
  installations: statement<never, [ids: string[]]>(
    'touch-installations',
    `UPDATE installations SET last_used_at = now()
      WHERE id IN (SELECT id FROM installations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)`,
  ),
}

const forgetHours = statement<never, []>(
  'forget-request-counts',
  "DELETE FROM request_counts WHERE hour < now() - interval '2 hours'",
)

/**
 * Tells the database what was counted since the last time, learns what other replicas counted, and notes when each
 * credential was last used. Three statements, however many requests there were.
 */
export const countSettling = settleLater('request counts', 1_000, async () => {
  const due = [...counts()]
    .filter(([, count]) => count.pending > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, count]) => ({ id, count, added: count.pending }))
  if (due.length === 0) return
  const rows = await addCounts(
    due.map(({ id }) => id),
    due.map(({ count }) => new Date(count.hour)),
    due.map(({ added }) => added),
  )
  const totals = new Map(rows.map((row) => [row.id, row.requests]))
  for (const { id, count, added } of due) {
    count.pending -= added
    count.settled = totals.get(id) ?? count.settled + added
  }
  for (const table of ['api_tokens', 'authorizations', 'installations'] as const) {
    const used = due.filter(({ count }) => count.table === table).map(({ id }) => id)
    if (used.length > 0) await touch[table](used)
  }
  await forgetPast(Math.max(...due.map(({ count }) => count.hour)))
})

let lastHour = 0

/** Once an hour: drops what no limit asks for any more. */
async function forgetPast(hour: number): Promise<void> {
  if (hour <= lastHour) return
  lastHour = hour
  const past = ([, count]: [string, Count]) => count.hour < hour && count.pending === 0
  for (const [id] of [...counts()].filter(past)) counts().delete(id)
  await forgetHours()
}
