import { Badge } from '../ui/badge'

type BadgedApp = {
  type: 'WEB' | 'NATIVE'
  verifiedAt: Date | null
  disabledAt: Date | null
  inDevelopment: boolean
  awaitingApproval?: boolean
}

/** What an app is and how it stands, beside its name. */
export const AppBadges = ({
  app: { type, verifiedAt, disabledAt, inDevelopment, awaitingApproval },
}: {
  app: BadgedApp
}) => (
  <>
    <Badge>{type === 'WEB' ? 'Web' : 'Native'}</Badge>
    {inDevelopment && <Badge tone="info">In development</Badge>}
    {awaitingApproval && <Badge tone="warning">Waiting</Badge>}
    {verifiedAt && <Badge tone="success">Verified</Badge>}
    {disabledAt && <Badge tone="danger">Disabled</Badge>}
  </>
)
