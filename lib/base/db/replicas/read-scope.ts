import { config } from '@/lib/base/config/env'
import { scopedValue } from '@/lib/base/log/request-scope'
import { readers } from './readers'
import type { Replica } from './replica'

/** Reads that may be answered by a replica: those of one request, until it has been answered. */
type ReadScope = { over: boolean; replica: Replica | undefined; used: boolean }

const scopes = scopedValue<ReadScope>('replica')

/** Whether this process reads from replicas. One that is frozen between two requests cannot know what they show. */
export const hasReplicas = (): boolean => config().DATABASE_REPLICA_URL.length > 0 && !config().functions

/** Looks after the replicas before anybody reads: a process that is asked nothing yet has not left them out. */
export function watchReplicas(): void {
  if (hasReplicas()) readers().watch()
}

/**
 * Does something that only reads: what it asks the database may be answered by a replica that is up to date. What it writes all
 * the same goes to the primary. Without DATABASE_REPLICA_URL it does it, and nothing else.
 * See decision 151.
 * @returns what the work returned, and whether any of it came from a replica
 */
export async function readFromReplicas<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; fromReplica: boolean }> {
  if (!hasReplicas()) return { result: await work(), fromReplica: false }
  watchReplicas()
  const scope: ReadScope = { over: false, replica: undefined, used: false }
  try {
    return { result: await scopes.run(scope, work), fromReplica: scope.used }
  } finally {
    // A timer that the work set goes on knowing the scope.
    scope.over = true
  }
}

/** The replica that answers the reads of this request at the moment; undefined where the primary does. */
export function replicaNow(): Replica | undefined {
  if (!hasReplicas()) return undefined
  const scope = scopes.now()
  if (!scope || scope.over) return undefined
  // One and the same for a request, as long as it may be asked: between two of them it could see a row come and go.
  if (!scope.replica?.isFresh()) scope.replica = readers().choose()
  if (scope.replica) scope.used = true
  return scope.replica
}
