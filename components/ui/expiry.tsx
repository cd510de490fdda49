import { Badge } from './badge'
import { Time } from './time'

/** Shows the expiration of a credential in a table. */
export function Expiry({ at }: { at: Date | null }) {
  if (!at) return 'Never'
  return at.getTime() < Date.now() ? <Badge tone="danger">Expired</Badge> : <Time at={at} />
}

/** Shows when something was last used, or that it was never used. */
export const LastUsed = ({ at }: { at: Date | null }) => (at ? <Time at={at} /> : 'Never')
