import { z } from 'zod'
import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

/**
 * The state that a process reports. Processes that run another release can report fewer or more fields.
 * Missing fields therefore have fallbacks, and unknown fields are ignored.
 */
const replicaState = z.object({
  /** The reason why the process is not ready. Undefined if the process is ready. */
  trouble: z.string().optional().catch(undefined),
  /** Whether the process runs background jobs. */
  jobs: z.boolean().catch(false),
  pool: z
    .object({ used: z.number(), most: z.number(), waiting: z.number() })
    .catch({ used: 0, most: 0, waiting: 0 }),
  /** The 99th percentile of the event loop delay, in milliseconds. */
  lateMs: z.number().catch(0),
  memoryBytes: z.number().catch(0),
  node: z.string().catch(''),
  pid: z.number().catch(0),
})

type ReplicaState = z.output<typeof replicaState>

/** A process with its ID, host name, release, and uptime. */
type Replica = { id: string; host: string; release: string; uptimeSeconds: number }

/**
 * Stores a report. Also deletes the rows of other processes that have not reported for ten minutes, because a
 * killed process cannot delete its own row.
 */
const note = statement<never, [id: string, host: string, release: string, uptime: number, state: string]>(
  'note-replica',
  `WITH gone AS (DELETE FROM replicas WHERE seen_at < now() - interval '10 minutes' AND id <> $1::uuid)
   INSERT INTO replicas (id, host, release, started_at, seen_at, state)
   VALUES ($1::uuid, $2, $3, now() - make_interval(secs => $4::float8), now(), $5::jsonb)
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, state = excluded.state`,
)

const forget = statement<never, [id: string]>('forget-replica', 'DELETE FROM replicas WHERE id = $1::uuid')

/**
 * Stores a process's current state, and deletes the rows of other processes that stopped reporting. Uses the
 * database clock, because the clocks of machines can differ.
 */
export async function noteReplica(
  { id, host, release, uptimeSeconds }: Replica,
  state: ReplicaState,
): Promise<void> {
  await note(id, host, release, uptimeSeconds, JSON.stringify(state))
}

/** Deletes the row of a process that is shutting down. */
export async function forgetReplica(id: string): Promise<void> {
  await forget(id)
}

/** A process and its last report. */
export type ListedReplica = ReplicaState & {
  id: string
  host: string
  release: string
  startedAt: Date
  seenAt: Date
  /**
   * Whether the process missed three reports in a row. The process might have been killed, might hang, or
   * might be unable to reach the database.
   */
  silent: boolean
}

type Row = Omit<ListedReplica, keyof ReplicaState> & { state: unknown }

const silentAfterSeconds = 45

const listed = statement<Row, [seconds: number]>(
  'list-replicas',
  `SELECT id, host, release, started_at AS "startedAt", seen_at AS "seenAt", state,
          seen_at < now() - make_interval(secs => $1::float8) AS silent
     FROM replicas ORDER BY started_at, id LIMIT 200`,
)

/**
 * Returns up to 200 of the instance's processes, oldest first. The list is empty on serverless hosts.
 * @throws AppError FORBIDDEN if the actor is not an instance admin
 */
export async function listReplicas(actor: Actor): Promise<ListedReplica[]> {
  authorizeInstance(actor)
  const rows = await listed(silentAfterSeconds)
  return rows.map(({ state, ...row }) => ({ ...row, ...replicaState.parse(state) }))
}
