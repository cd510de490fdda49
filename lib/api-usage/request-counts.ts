import { remember } from '@/lib/config/remember'
import type { Caller } from '@/lib/policy/bearer'

/** The requests of one credential in one hour, as this process knows them. */
export type Count = {
  table: Caller['credential']['table']
  /** The hour's start, in milliseconds. */
  hour: number
  /** What the database had when this process last looked, replicas included. */
  settled: number
  /** What it has not been told yet. */
  pending: number
}

/**
 * Counts live in memory and are settled with the database about once a second, so that a request writes nothing; replicas
 * agree within a second, and a crash loses at most that second's counts.
 */
export const counts = (): Map<string, Count> => remember('request-counts', () => new Map<string, Count>())
