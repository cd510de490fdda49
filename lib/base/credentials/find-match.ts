import { timingSafeEqual } from 'node:crypto'
import { hashCredential } from './tokens'

/**
 * The one of several stored credentials that was presented. Every hash is compared, in constant time, whichever matches.
 * @param stored with their hashes in hexadecimal
 */
export function findMatch<Stored extends { hash: string }>(
  stored: readonly Stored[],
  presented: string,
): Stored | undefined {
  const hash = hashCredential(presented)
  const [match] = stored.filter((each) => timingSafeEqual(Buffer.from(each.hash, 'hex'), hash))
  return match
}

/** Compares what was presented with what it has to be, in a time that tells nothing of either. */
export const isSameCredential = (presented: string, expected: string): boolean =>
  timingSafeEqual(hashCredential(presented), hashCredential(expected))
