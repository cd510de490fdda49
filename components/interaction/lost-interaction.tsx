import { Unplug } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import { MessageCard } from '../frame/message-card'

/** A request that cannot go on: finished before, too old, opened in another browser, or its cookie is gone. */
export const LostInteraction = ({ say, appName }: { say: Say; appName: string | undefined }) => (
  <MessageCard icon={Unplug} tone="warning" title={say('lost.title')}>
    <p>{say('lost.why')}</p>
    <p>{appName ? say('lost.backTo', { app: appName }) : say('lost.back')}</p>
  </MessageCard>
)
