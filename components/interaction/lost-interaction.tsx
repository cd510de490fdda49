import { Unplug } from 'lucide-react'
import { MessageCard } from '../frame/message-card'

/** A request that cannot go on: finished before, too old, opened in another browser, or its cookie is gone. */
export function LostInteraction() {
  return (
    <MessageCard icon={Unplug} tone="warning" title="This request has expired">
      <p>It was answered before, took too long, or was started in another browser.</p>
      <p>Go back to the app and start again there.</p>
    </MessageCard>
  )
}
