import type { ListedPlace } from '../lists/place-list'
import { Badge } from '../ui/badge'
import { Time } from '../ui/time'

type ListedApp = {
  id: string
  name: string
  type: 'WEB' | 'NATIVE'
  logoUrl: string | null
  logoDarkUrl: string | null
  createdAt: Date
  disabledAt: Date | null
  inDevelopment: boolean
  people: number
}

/** An OAuth app as a row to open. @param developerHref where the apps of its workspace are listed */
export const placeOfApp =
  (developerHref: string) =>
  ({ id, name, type, createdAt, disabledAt, inDevelopment, people, ...app }: ListedApp): ListedPlace => ({
    id,
    name,
    href: `${developerHref}/${id}/overview`,
    logoUrl: app.logoUrl,
    logoDarkUrl: app.logoDarkUrl,
    about: <span className="font-mono">{id}</span>,
    badge: (
      <>
        <Badge className="max-sm:hidden">{type === 'WEB' ? 'Web' : 'Native'}</Badge>
        {inDevelopment && <Badge tone="info">In development</Badge>}
        {disabledAt && <Badge tone="danger">Disabled</Badge>}
      </>
    ),
    aside: (
      <span className="grid tabular-nums">
        <span>{people === 1 ? '1 person' : `${people.toLocaleString('en')} people`}</span>
        <span className="max-sm:hidden">
          Created <Time at={createdAt} />
        </span>
      </span>
    ),
  })
