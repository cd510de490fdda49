import { Badge } from '../ui/badge'

type BadgedApp = {
  type: 'WEB' | 'NATIVE'
  verifiedAt: Date | null
  disabledAt: Date | null
  inDevelopment: boolean
}

/** What an app is and how it stands, beside its name. */
export const AppBadges = ({ app: { type, verifiedAt, disabledAt, inDevelopment } }: { app: BadgedApp }) => (
  <>
    <Badge>{type === 'WEB' ? 'Web' : 'Native'}</Badge>
    {inDevelopment && <Badge tone="info">In development</Badge>}
    {verifiedAt && <Badge tone="success">Verified</Badge>}
    {disabledAt && <Badge tone="danger">Disabled</Badge>}
  </>
)
