import { Link2Off } from 'lucide-react'
import type { ReactNode } from 'react'
import { MessageCard } from '../frame/message-card'

/** A mailed link that no longer works, and the way to another. */
export function DeadLink({ action, children }: { action: ReactNode; children?: ReactNode }) {
  return (
    <MessageCard icon={Link2Off} tone="warning" title="This link no longer works" action={action}>
      <p>It has been used, has expired, or a newer one was sent.</p>
      {children}
    </MessageCard>
  )
}
