import { pool, tokenPool } from './pool'
import { endSharedReads } from './shared-reads'

/** Closes every connection of the process to the database, each once what is under way has been answered. */
export const endConnections = async (): Promise<void> => {
  await Promise.all([...new Set([pool(), tokenPool()])].map((each) => each.end()).concat(endSharedReads()))
}
