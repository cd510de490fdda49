import { Badge } from './badge'
import { Time } from './time'

/** When a credential ends, as a table shows it. */
export function Expiry({ at }: { at: Date | null }) {
  if (!at) return 'Never'
  return at.getTime() < Date.now() ? <Badge tone="danger">Expired</Badge> : <Time at={at} />
}

/** When something was last used, or that it never was. */
export const LastUsed = ({ at }: { at: Date | null }) => (at ? <Time at={at} /> : 'Never')
