/**
 * Where Citus keeps a row: it hashes the value of the distribution column with PostgreSQL's own hash of bytes (Bob Jenkins'
 * lookup3), and each shard has a range of the results.
 */

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** PostgreSQL's hash of 32 bytes, as Citus's `worker_hash` gives it: a signed number of 32 bits. */
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
 * The number of the shard that a row lies in.
 * @param from where the range of each shard begins, ascending
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
