import { statement } from '@/lib/base/db/statements'
import type { ReplicaState } from './replica-state'

/** A process: a name of its own, the machine it runs on, its release, and for how long it has run, in seconds. */
export type Replica = { id: string; host: string; release: string; uptimeSeconds: number }

/** Also removes what has said nothing for ten minutes: a process that was killed says no farewell. */
const note = statement<never, [id: string, host: string, release: string, uptime: number, state: string]>(
  'note-replica',
  `WITH gone AS (DELETE FROM replicas WHERE seen_at < now() - interval '10 minutes' AND id <> $1::uuid)
   INSERT INTO replicas (id, host, release, started_at, seen_at, state)
   VALUES ($1::uuid, $2, $3, now() - make_interval(secs => $4::float8), now(), $5::jsonb)
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, state = excluded.state`,
)

const forget = statement<never, [id: string]>('forget-replica', 'DELETE FROM replicas WHERE id = $1::uuid')

/** Writes down how a process is doing now. Times are the database's, so that clocks that differ do not matter. */
export async function noteReplica(
  { id, host, release, uptimeSeconds }: Replica,
  state: ReplicaState,
): Promise<void> {
  await note(id, host, release, uptimeSeconds, JSON.stringify(state))
}

/** Says that a process ends in order. */
export async function forgetReplica(id: string): Promise<void> {
  await forget(id)
}
