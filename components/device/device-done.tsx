import { CircleCheck, CircleSlash } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import { MessageCard } from '../frame/message-card'
import { TextAnchor } from '../ui/text-anchor'
import { Worded } from '../ui/worded'

/** The end of the device flow in the browser; the rest happens on the device. */
export function DeviceDone({
  say,
  appName,
  outcome,
}: {
  say: Say
  /** Undefined where it is not known any more. */
  appName: string | undefined
  outcome: 'authorized' | 'denied'
}) {
  // A name stays as it is written. The words that stand in its place may begin the sentence.
  const tell = (key: 'device.deniedWhy' | 'device.connectedWhy') =>
    appName === undefined
      ? say(key, { app: say('device.theApp') }).replace(/^\p{Ll}/u, (first) => first.toUpperCase())
      : say(key, { app: appName })
  if (outcome === 'denied') {
    return (
      <MessageCard icon={CircleSlash} title={say('device.denied')}>
        <p>{tell('device.deniedWhy')}</p>
      </MessageCard>
    )
  }
  return (
    <MessageCard icon={CircleCheck} tone="success" title={say('device.connected')}>
      <p>{tell('device.connectedWhy')}</p>
      <p>
        <Worded
          of={say.parts('device.later', {
            link: (text) => <TextAnchor href="/account/apps">{text}</TextAnchor>,
          })}
        />
      </p>
    </MessageCard>
  )
}
