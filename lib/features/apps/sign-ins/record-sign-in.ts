import { randomUUID } from 'node:crypto'
import { statement } from '@/lib/base/db/statement'

/** The session's row is locked: one that ends at this moment has either ended before, or waits and finds this sign-in. */
const insert = statement<never, [id: string, sessionId: string, clientId: string, sid: string]>(
  'app-sign-in-record',
  `INSERT INTO app_sign_ins (id, session_id, client_id, sid, ended_at)
   SELECT $1, s.id, $3, $4, s.revoked_at FROM sessions s WHERE s.id = $2 FOR SHARE
   ON CONFLICT (session_id, client_id, sid) DO NOTHING`,
)

/**
 * Notes that an app signed a person in under a browser session, so that it can be told of the session's end.
 * @param sid what the app knows the sign-in by
 */
export async function recordSignIn(sessionId: string, clientId: string, sid: string): Promise<void> {
  await insert(randomUUID(), sessionId, clientId, sid)
}
