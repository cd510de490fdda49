import { type CredentialKind, hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { remember } from '@/lib/base/process/remember'

/**
 * If tokens are sharded over several machines (docs/operate/citus.md), a request should write to only one
 * shard. Therefore, a credential that is issued for another credential gets a value whose hash is in the
 * other credential's shard. A process queries the list of shards only after Citus has rejected the statement
 * for a single machine, so a single PostgreSQL server never receives this query. See ADR 0039.
 */

/**
 * The age, in milliseconds, at which the cached hash ranges of the shards are reloaded. Outdated ranges are
 * harmless: shards are rarely split, and a request with outdated ranges merely writes to two shards.
 */
const keptMs = 60_000

/** The maximum number of unused values to keep per kind of credential and shard. */
const mostWaiting = 8

type Shards = { from: number[]; readAt: number; waiting: Map<string, string[]> }
const state = () => remember<{ shards?: Shards }>('shards of tokens', () => ({}))

/**
 * Returns whether this process has detected shards. If the cached ranges are older than `keptMs`, also starts
 * to reload them in the background.
 */
export function areSharded(): boolean {
  const { shards } = state()
  if (shards && performance.now() - shards.readAt > keptMs) {
    shards.readAt = performance.now()
    learnShards().catch(() => undefined)
  }
  return shards !== undefined
}

/**
 * Returns whether an error has the code `feature_not_supported`, with which Citus rejects statements that
 * cannot run on shards.
 */
export const isRefusedForShards = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '0A000'

/**
 * Loads the shards' hash ranges into this process's cache. If there are no shards, clears the cache. If the
 * ranges have changed, discards the unused values.
 */
export async function learnShards(): Promise<void> {
  const { rows } = await pool().query<{ from: number }>(
    `SELECT shardminvalue::int AS from FROM pg_dist_shard
      WHERE logicalrelid = 'oauth_artifacts'::regclass AND shardminvalue IS NOT NULL ORDER BY 1`,
  )
  const from = rows.map((row) => row.from)
  const known = state().shards
  if (from.length === 0) state().shards = undefined
  else if (known?.from.join() === from.join()) known.readAt = performance.now()
  else state().shards = { from, readAt: performance.now(), waiting: new Map() }
}

/**
 * Returns a new credential whose hash is in the same shard as another credential's hash. If this process has
 * not detected shards, the new credential can be in any shard. Each attempt creates a value for a random
 * shard. Up to `mostWaiting` values for each other shard are kept for later calls, so the average is about
 * one attempt per credential.
 * @param origin the credential for which the new credential is issued, or the hash of that credential;
 *   undefined for any shard
 */
export function mintInShardOf(kind: CredentialKind, origin: string | Buffer | undefined): string {
  const { shards } = state()
  if (!shards || origin === undefined) return mintCredential(kind)
  const { from, waiting } = shards
  const wanted = shardOf(typeof origin === 'string' ? hashCredential(origin) : origin, from)
  const kept = waiting.get(`${kind} ${wanted}`)?.pop()
  if (kept) return kept
  for (;;) {
    const made = mintCredential(kind)
    const shard = shardOf(hashCredential(made), from)
    if (shard === wanted) return made
    const place = `${kind} ${shard}`
    const there = waiting.get(place) ?? []
    waiting.set(place, there)
    if (there.length < mostWaiting) there.push(made)
  }
}

/**
 * The functions below find the shard of a row. Citus applies PostgreSQL's hash function for bytes (Bob
 * Jenkins' lookup3) to the value of the distribution column, and each shard has a range of the results.
 */

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** Returns PostgreSQL's hash of 32 bytes, the same as Citus's `worker_hash`: a signed 32-bit number. */
export function hashOf(bytes: Buffer): number {
  const word = (at: number) => bytes.readInt32LE(at * 4)
  let a = (0x9e3779b9 + 32 + 3923095) | 0
  let b = a
  let c = a
  for (const at of [0, 3]) {
    a = (a + word(at)) | 0
    b = (b + word(at + 1)) | 0
    c = (c + word(at + 2)) | 0
    a = ((a - c) | 0) ^ rotate(c, 4)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotate(a, 6)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotate(b, 8)
    b = (b + a) | 0
    a = ((a - c) | 0) ^ rotate(c, 16)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotate(a, 19)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotate(b, 4)
    b = (b + a) | 0
  }
  a = (a + word(6)) | 0
  b = (b + word(7)) | 0
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}

/**
 * Returns the index of the shard that contains a row.
 * @param hash the row's value in the distribution column
 * @param from the start of each shard's range, ascending
 */
export function shardOf(hash: Buffer, from: readonly number[]): number {
  const value = hashOf(hash)
  let low = 0
  let high = from.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((from[middle] as number) <= value) low = middle
    else high = middle - 1
  }
  return low
}
