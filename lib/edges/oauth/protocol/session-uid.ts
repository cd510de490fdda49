import { createHmac } from 'node:crypto'
import { derivedKeys } from '@/lib/base/credentials/seal'

const uidsOf = (sessionId: string): string[] =>
  derivedKeys('engine-session-uid').map((key) =>
    createHmac('sha256', key).update(sessionId).digest('base64url'),
  )

/**
 * What an authorization request that waits for the person notes of the browser session it came with (the `uid` of the
 * engine's session): the same for every request of that session, however many come at once.
 * @param sessionId the row of `sessions`
 */
export const engineSessionUid = (sessionId: string): string => uidsOf(sessionId)[0] as string

/**
 * Whether a `uid` is that of a browser session, whichever of the keys it was made with: a replica that is given a new
 * SECRET_KEY before or after this one makes another. See decision 115.
 */
export const isUidOf = (uid: string | undefined, sessionId: string): boolean =>
  uid !== undefined && uidsOf(sessionId).includes(uid)
