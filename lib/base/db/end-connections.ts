import { pool, tokenPool } from './pool'
import { hasReplicas } from './replicas/read-scope'
import { readers } from './replicas/readers'
import { endSharedReads } from './shared-reads'

/** Closes every connection of the process to the database, each once what is under way has been answered. */
export const endConnections = async (): Promise<void> => {
  const pools = [...new Set([pool(), tokenPool()])].map((each) => each.end())
  // What ends a pool may still wait for replicas.
  await Promise.all([...pools, endSharedReads()])
  if (hasReplicas()) await readers().end()
}
