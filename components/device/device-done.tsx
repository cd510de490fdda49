import { CircleCheck, CircleSlash } from 'lucide-react'
import { MessageCard } from '../frame/message-card'

/** The end of the device flow in the browser; the rest happens on the device. */
export function DeviceDone({ appName, outcome }: { appName: string; outcome: 'authorized' | 'denied' }) {
  if (outcome === 'denied') {
    return (
      <MessageCard icon={CircleSlash} title="Device not connected">
        <p>{appName} got no access. You can close this page.</p>
      </MessageCard>
    )
  }
  return (
    <MessageCard icon={CircleCheck} tone="success" title="Device connected">
      <p>{appName} can go on. Return to your device; you can close this page.</p>
      <p>To end its access later, go to Account, Authorized apps.</p>
    </MessageCard>
  )
}
