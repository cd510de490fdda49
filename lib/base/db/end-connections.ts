import { pool } from './pool'
import { endSharedReads } from './shared-reads'

/** Closes every connection of the process to the database, each once what is under way has been answered. */
export const endConnections = async (): Promise<void> => {
  await Promise.all([pool().end(), endSharedReads()])
}
