import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { hashOf, shardOf } from './shards'

it('hashOf and PostgreSQL compute the same hash for a row’s key', async () => {
  const hashes = Array.from({ length: 200 }, (_, n) => createHash('sha256').update(`${n}`).digest())
  // The hash of an array with one element is that of the element plus 31.
  const { rows } = await pool().query<{ hash: number }>(
    'SELECT hash_array(ARRAY[hash]) - 31 AS hash FROM unnest($1::bytea[]) WITH ORDINALITY AS t(hash, n) ORDER BY n',
    [hashes],
  )
  expect(hashes.map(hashOf)).toEqual(rows.map(({ hash }) => hash))
})

it('shardOf finds the shard whose range contains the hash', () => {
  const from = [-2147483648, -1073741824, 0, 1073741824]
  const hashes = Array.from({ length: 100 }, (_, n) => createHash('sha256').update(`${n}`).digest())
  for (const hash of hashes) expect(shardOf(hash, from)).toBe(Math.floor(hashOf(hash) / 2 ** 30) + 2)
  expect(new Set(hashes.map((hash) => shardOf(hash, from))).size).toBe(4)
})
