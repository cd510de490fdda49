import type { ReactNode } from 'react'
import { AppLogo, type LogoOwner } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { ChevronRight } from '../ui/icon'
import { Link } from '../ui/link'
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
 * @param footer the number of entries and the links to other pages
 */
export function RequestInbox({
  apps,
  path,
  footer,
}: {
  apps: readonly Requested[]
  path: string
  footer: ReactNode
}) {
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
              <p className="wrap-anywhere flex flex-wrap gap-x-2.5 text-[13px] text-muted">
                <span>{userNames(app.names, app.users)}</span>
                <Time at={app.since} />
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
      {footer}
    </Section>
  )
}
