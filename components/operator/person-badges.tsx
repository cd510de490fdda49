import { Badge } from '../ui/badge'

/** What is out of the ordinary about a person. */
export function PersonBadges({
  person,
}: {
  person: { suspendedAt: Date | null; instanceAdmin: boolean; emailVerifiedAt: Date | null }
}) {
  return (
    <>
      {person.suspendedAt && <Badge tone="danger">Suspended</Badge>}
      {person.instanceAdmin && <Badge tone="accent">Operator</Badge>}
      {!person.emailVerifiedAt && <Badge tone="warning">Email not confirmed</Badge>}
    </>
  )
}
