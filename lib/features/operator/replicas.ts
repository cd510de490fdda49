import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { type ReplicaState, replicaState } from './replica-state'

/** How a process was doing when it last said so. */
export type ListedReplica = ReplicaState & {
  id: string
  host: string
  release: string
  startedAt: Date
  seenAt: Date
  /** It has missed several of its times: it was killed, is cut off from the database, or hangs. */
  silent: boolean
}

type Row = Omit<ListedReplica, keyof ReplicaState> & { state: unknown }

/** Three times in a row. */
const silentAfterSeconds = 45

const listed = statement<Row, [seconds: number]>(
  'list-replicas',
  `SELECT id, host, release, started_at AS "startedAt", seen_at AS "seenAt", state,
          seen_at < now() - make_interval(secs => $1::float8) AS silent
     FROM replicas ORDER BY started_at, id LIMIT 200`,
)

/**
 * The processes of the service that say that they live, the oldest first; none where no process lives longer than a request.
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export async function listReplicas(actor: Actor): Promise<ListedReplica[]> {
  authorizeInstance(actor)
  const rows = await listed(silentAfterSeconds)
  return rows.map(({ state, ...row }) => ({ ...row, ...replicaState.parse(state) }))
}
