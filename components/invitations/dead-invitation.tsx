import { Link2Off } from 'lucide-react'
import { MessageCard } from '../frame/message-card'
import { ButtonLink } from '../ui/button-link'

/** An invitation's link that leads nowhere any more. */
export function DeadInvitation() {
  return (
    <MessageCard
      icon={Link2Off}
      tone="warning"
      title="This invitation no longer works"
      action={<ButtonLink href="/">Continue</ButtonLink>}
    >
      <p>It has expired, was used or was taken back. Ask whoever invited you for another.</p>
    </MessageCard>
  )
}
