import { Link2Off } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import { MessageCard } from '../frame/message-card'
import { ButtonLink } from '../ui/button-link'

/** An invitation's link that leads nowhere any more. */
export function DeadInvitation({ say }: { say: Say }) {
  return (
    <MessageCard
      icon={Link2Off}
      tone="warning"
      title={say('invited.dead')}
      action={<ButtonLink href="/">{say('confirm.continue')}</ButtonLink>}
    >
      <p>{say('invited.deadWhy')}</p>
    </MessageCard>
  )
}
