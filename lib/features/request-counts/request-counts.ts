import { remember } from '@/lib/base/process/remember'

/**
 * Whose requests are counted: an API token's, an authorization's, an installation's, an app's that asks for itself, or those of
 * all API tokens of a person.
 */
export type Counted = {
  table: 'api_tokens' | 'authorizations' | 'installations' | 'managed_apps' | 'oauth_clients' | 'users'
  id: string
}

/** The requests of one of them in one hour, as this process knows them. */
export type Count = {
  table: Counted['table']
  /** The hour's start, in milliseconds. */
  hour: number
  /** What the database had when this process last looked, replicas included. */
  settled: number
  /** What it has not been told yet. */
  pending: number
}

/**
 * Counts live in memory and are settled with the database about once a second, so that a request writes nothing; replicas
 * agree within a second, and a crash loses at most that second's counts. Not gathered (lib/base/process/tally.ts): a limit
 * needs what other replicas counted too, so a count stays after it was written.
 */
export const counts = (): Map<string, Count> => remember('request-counts', () => new Map<string, Count>())
