import { createHash, createHmac } from 'node:crypto'
import { derivedKeys, seal, unseal } from '@/lib/base/credentials/seal'

/** A request that carries a key, as the caller sent both. */
export type KeyedRequest = {
  /** The API token or authorization: keys of different credentials have nothing to do with each other. */
  credentialId: string
  key: string
  /** What is asked for, in one text; the same key with another one is refused. */
  asked: string
}

const keyed = ({ credentialId, key }: KeyedRequest): string => `${credentialId} ${key}`

/** What a row of `keyed_requests` is named by. */
export const hashOf = (request: KeyedRequest): Buffer => createHash('sha256').update(keyed(request)).digest()

/** The keys that seal the answer to one request: who has SECRET_KEY but not the caller's key opens none of them. */
const keysOf = (request: KeyedRequest): Buffer[] =>
  derivedKeys('keyed-request').map((secret) => createHmac('sha256', secret).update(keyed(request)).digest())

const fingerprint = ({ asked }: KeyedRequest): string => createHash('sha256').update(asked).digest('hex')

/** Seals an answer together with what it answers. See decision 169. */
export const sealAnswer = (request: KeyedRequest, answer: string): Buffer =>
  seal(fingerprint(request) + answer, keysOf(request))

/**
 * Opens what `sealAnswer` made.
 * @returns the answer, and whether it answers this request; undefined where SECRET_KEY has changed since, without the former one
 */
export function openAnswer(
  request: KeyedRequest,
  sealed: Buffer,
): { answer: string; same: boolean } | undefined {
  const mine = fingerprint(request)
  try {
    const plain = unseal(sealed, keysOf(request))
    return { answer: plain.slice(mine.length), same: plain.startsWith(mine) }
  } catch {
    return undefined
  }
}
