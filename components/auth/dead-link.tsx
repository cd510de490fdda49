import { Link2Off } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Say } from '@/lib/base/language/say'
import { MessageCard } from '../frame/message-card'

/** A mailed link that no longer works, and the way to another. */
export const DeadLink = ({ say, action }: { say: Say; action: ReactNode }) => (
  <MessageCard icon={Link2Off} tone="warning" title={say('link.dead')} action={action}>
    <p>{say('link.deadWhy')}</p>
  </MessageCard>
)
