import type { ComponentProps } from 'react'
import { MessageCard } from '../frame/message-card'

/** The message card of an auth page. `action` is a large, wide button, as in the forms of the auth pages. */
export const AuthMessage = ({ action, ...message }: ComponentProps<typeof MessageCard>) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
    <MessageCard {...message} />
    {action}
  </div>
)
