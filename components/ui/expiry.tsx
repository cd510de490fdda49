import { Badge } from './badge'
import { Time } from './time'

/** Shows when a credential expires: a time, "Expired" for a past time, or "Never" for null. */
export function Expiry({ at }: { at: Date | null }) {
  if (!at) return 'Never'
  return at.getTime() < Date.now() ? <Badge tone="danger">Expired</Badge> : <Time at={at} capital />
}

/** Shows when something was last used, or that it was never used. */
export const LastUsed = ({ at }: { at: Date | null }) => (at ? <Time at={at} capital /> : 'Never')
