import { createHmac } from 'node:crypto'
import { derivedKey } from '@/lib/base/credentials/seal'

/**
 * What an authorization request that waits for the person notes of the browser session it came with (the `uid` of the
 * engine's session): the same for every request of that session, however many come at once.
 * @param sessionId the row of `sessions`
 */
export const engineSessionUid = (sessionId: string): string =>
  createHmac('sha256', derivedKey('engine-session-uid')).update(sessionId).digest('base64url')
