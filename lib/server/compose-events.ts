import type { IncomingMessage, ServerResponse } from 'node:http'
import { noteChange } from '@/lib/features/api-tokens/idempotency-keys'
import { hearAuthorizations } from '@/lib/features/apps/activity/note-activity'
import { registerEventListeners } from '@/lib/features/audit/record-event'
import { addToStreams } from '@/lib/features/audit-streams/send-waiting'
import {
  cookieValue,
  renewedSessionCookie,
  sessionCookieName,
} from '@/lib/features/identity/sessions/session-cookie'
import { mailAccountChange } from '@/lib/features/notifications/account-change-mail'
import { announceEvent } from '@/lib/features/notifications/announce-event'
import { tellWebhooks } from '@/lib/features/webhooks/queue-deliveries'

/** Says who hears of recorded events in this process. Every program that changes anything calls it before it does. */
export const composeEvents = (): void =>
  registerEventListeners([
    noteChange,
    announceEvent,
    mailAccountChange,
    tellWebhooks,
    addToStreams,
    hearAuthorizations,
  ])

/**
 * Replaces the session cookie of a browser that opens a page, if a former SECRET_KEY encrypted it. Next adds to the cookies
 * that are set here, so what the page itself does with the session comes last and counts.
 */
export async function renewSession(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'GET' || !req.headers.accept?.includes('text/html')) return
  const cookie = await renewedSessionCookie(cookieValue(req.headers.cookie, sessionCookieName()))
  if (cookie) res.appendHeader('set-cookie', cookie)
}
