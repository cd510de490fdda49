import { hearAuthorizations } from '@/lib/features/apps/activity/note-activity'
import { registerEventListeners } from '@/lib/features/audit/record-event'
import { addToStreams } from '@/lib/features/audit-streams/send-pending'
import { mailAccountChange } from '@/lib/features/notifications/account-change-mail'
import { announceEvent } from '@/lib/features/notifications/announce-event'
import { queueWebhooks } from '@/lib/features/webhooks/queue-deliveries'

/**
 * Registers the listeners for recorded events. Programs must call this function before they change data. See
 * ADR 0002.
 */
export const composeEvents = (): void =>
  registerEventListeners([announceEvent, mailAccountChange, queueWebhooks, addToStreams, hearAuthorizations])
