import Link from 'next/link'
import { AppLogo, type LogoOwner } from '../ui/app-logo'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Time } from '../ui/time'

type AuthorizedApp = {
  id: string
  createdAt: Date
  lastUsedAt: Date | null
  client: LogoOwner & { id: string; disabledAt: Date | null }
}

/** The apps a person lets act for them; each leads to where it is managed. */
export function PersonApps({ apps }: { apps: AuthorizedApp[] }) {
  return (
    <Section title="Authorized apps" flush>
      {apps.length === 0 && <p className="px-4 py-4 text-muted">No authorized apps.</p>}
      <ul aria-label="Authorized apps">
        {apps.map(({ id, createdAt, lastUsedAt, client }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 border-b px-4 py-2.5 last:border-b-0">
            <AppLogo app={client} size="small" />
            <span className="flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-1.5">
              <Link
                href={`/operator/apps/${encodeURIComponent(client.id)}`}
                className="font-medium hover:underline"
              >
                {client.name}
              </Link>
              {client.disabledAt && <Badge tone="danger">Disabled</Badge>}
            </span>
            <span className="text-[13px] text-muted">
              {lastUsedAt ? 'Used' : 'Authorized'} <Time at={lastUsedAt ?? createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
