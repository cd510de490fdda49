import { Badge } from '../ui/badge'

/** How far a delivery got. */
export function DeliveryBadge({
  status,
  attempts,
}: {
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  attempts: number
}) {
  if (status === 'DELIVERED') return <Badge tone="success">Delivered</Badge>
  if (status === 'FAILED') return <Badge tone="danger">Failed</Badge>
  return attempts > 0 ? <Badge tone="warning">Retrying</Badge> : <Badge>Pending</Badge>
}

/** Whether a webhook is sent anything at all. */
export function WebhookBadge({ disabled }: { disabled: boolean }) {
  return disabled ? <Badge tone="warning">Disabled</Badge> : <Badge tone="success">Enabled</Badge>
}
