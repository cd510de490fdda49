import pg from 'pg'
import { kindOfStatement } from './kind-of-statement'
import { hasReplicas, replicaNow } from './read-scope'

type Any = (...all: unknown[]) => unknown

/**
 * Has the reads that a pool is handed answered by a replica within `readFromReplicas`: those of Prisma outside of a transaction.
 * @param pool of the primary; nothing is done to it without DATABASE_REPLICA_URL
 */
export function routeReads(pool: pg.Pool): void {
  if (!hasReplicas()) return
  const send = pool.query.bind(pool) as Any
  const routed: Any = (...all) => {
    const [statement] = all
    // The driver's own objects go where their maker says (statement.ts), and cannot be sent twice.
    if (statement instanceof pg.Query || typeof all.at(-1) === 'function') return send(...all)
    const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
    const replica = kindOfStatement(text) === 'read' ? replicaNow() : undefined
    return replica ? replica.query(...all).then((result) => result ?? send(...all)) : send(...all)
  }
  pool.query = routed as typeof pool.query
}
