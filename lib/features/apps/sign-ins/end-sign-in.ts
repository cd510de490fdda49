import { statement } from '@/lib/base/db/statement'

const end = statement<never, [clientId: string, sid: string]>(
  'app-sign-in-end',
  'UPDATE app_sign_ins SET ended_at = now() WHERE client_id = $1 AND sid = $2 AND ended_at IS NULL',
)

/** Ends a person's sign-in to one app, whatever becomes of the browser session; the app is told. */
export async function endSignIn(clientId: string, sid: string): Promise<void> {
  await end(clientId, sid)
}
