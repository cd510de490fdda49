import { Badge } from './badge'
import { Time } from './time'

/** When a credential ends, as a table shows it. */
export function Expiry({ at }: { at: Date | null }) {
  if (!at) return 'Never'
  return at.getTime() < Date.now() ? <Badge tone="danger">Expired</Badge> : <Time at={at} />
}
