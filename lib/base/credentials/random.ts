import { randomFillSync } from 'node:crypto'

/** Randomness is fetched from the system in blocks: one call each time costs more than all the rest of minting a token. */
const block = Buffer.alloc(4096)
let spent = block.length

/** Random bytes for secrets and nonces. @param count at most 64 */
export function takeRandom(count: number): Buffer {
  if (spent + count > block.length) {
    randomFillSync(block)
    spent = 0
  }
  const taken = Buffer.from(block.subarray(spent, spent + count))
  block.fill(0, spent, spent + count) // what became a secret is not kept
  spent += count
  return taken
}
