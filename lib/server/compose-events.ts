import { hearAuthorizations } from '@/lib/features/apps/activity/hear-authorizations'
import { registerEventListeners } from '@/lib/features/audit/event-listeners'
import { addToStreams } from '@/lib/features/audit-streams/add-to-streams'
import { noteChange } from '@/lib/features/keyed-requests/runs'
import { announceEvent } from '@/lib/features/notifications/announce-event'
import { mailAccountChange } from '@/lib/features/notifications/mail-account-change'
import { tellWebhooks } from '@/lib/features/webhooks/tell-webhooks'

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
