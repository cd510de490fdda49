import { cursorOfPlace } from '@/lib/base/db/paging'
import { AppLogo, type LogoOwner } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { ChevronRight } from '../ui/icon'
import { Link } from '../ui/link'
import { Pagination } from '../ui/pagination'
import { Time } from '../ui/time'
import { userNames } from './policy-review'

type Requested = Omit<LogoOwner, 'id'> & {
  clientId: string
  runBy: string | null
  verified: boolean
  users: number
  names: string[]
  reason: string
  since: Date
}

/**
 * Lists the apps that users requested, the oldest request first. Each entry links to the page on which an
 * admin decides about the app.
 */
export function RequestInbox({ apps, path }: { apps: readonly Requested[]; path: string }) {
  return (
    <Section title="Requests" description="Members are waiting for an admin to approve these apps." flush>
      <ul aria-label="Requests">
        {apps.map((app) => (
          <li
            key={app.clientId}
            className="relative flex items-center gap-3 border-b px-4 py-3 last:border-b-0 hover:bg-hover"
          >
            <AppLogo app={{ ...app, id: app.clientId }} className="self-start" />
            <div className="grid min-w-0 flex-1 gap-0.5">
              <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
                <Link
                  href={`${path}/${encodeURIComponent(app.clientId)}`}
                  aria-label={`Review ${app.name}`}
                  className="wrap-anywhere min-w-0 font-medium after:absolute after:inset-0 after:content-['']"
                >
                  <bdi>{app.name}</bdi>
                </Link>
                <span className="wrap-anywhere min-w-0 text-[13px] text-muted">
                  {app.runBy ? `by ${app.runBy}` : 'Self-registered, not verified'}
                </span>
                {app.verified && <Badge tone="success">Verified</Badge>}
              </p>
              <p className="wrap-anywhere text-[13px] text-muted">
                {userNames(app.names, app.users)} · <Time at={app.since} />
              </p>
              {app.reason && (
                <p className="line-clamp-2 max-w-[80ch] text-[13px] [overflow-wrap:anywhere]">
                  “<bdi>{app.reason}</bdi>”
                </p>
              )}
            </div>
            <ChevronRight className="size-4 shrink-0 text-muted" />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Links to the previous and next page of a cursor list. Renders nothing if there is only one page. */
export function PlacedPages({
  places,
  sides,
  href,
  label,
}: {
  places: string[]
  sides: { hasPreviousPage: boolean; hasNextPage: boolean }
  /** Returns the URL of a page. @param side whether the page's entries come before or after the cursor */
  href: (side: 'before' | 'after', cursor: string) => string
  label: string
}) {
  if (!sides.hasPreviousPage && !sides.hasNextPage) return null
  const at = (side: 'before' | 'after', place: string | undefined) =>
    place === undefined ? undefined : href(side, cursorOfPlace(place))
  return (
    <Pagination
      previous={sides.hasPreviousPage ? at('before', places[0]) : undefined}
      next={sides.hasNextPage ? at('after', places.at(-1)) : undefined}
      label={label}
    />
  )
}
