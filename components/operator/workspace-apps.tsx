import Link from 'next/link'
import { AppLogo, type LogoOwner } from '../ui/app-logo'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Time } from '../ui/time'

type App = LogoOwner & {
  id: string
  verifiedAt: Date | null
  disabledAt: Date | null
  createdAt: Date
}

/** The newest apps of a workspace; each leads to where it is managed. */
export function WorkspaceApps({ apps, total }: { apps: App[]; total: number }) {
  const more = total > apps.length
  return (
    <Section
      title="OAuth apps"
      description={more ? `The newest ${apps.length} of ${total}.` : undefined}
      flush
    >
      {apps.length === 0 && <p className="px-4 py-4 text-muted">No OAuth apps.</p>}
      <ul aria-label="OAuth apps">
        {apps.map((app) => (
          <li key={app.id} className="flex flex-wrap items-center gap-3 border-b px-4 py-3 last:border-b-0">
            <AppLogo app={app} />
            <span className="grid min-w-0 flex-1 basis-44">
              <span className="flex flex-wrap items-center gap-1.5">
                <Link
                  href={`/operator/apps/${encodeURIComponent(app.id)}`}
                  className="font-medium hover:underline"
                >
                  {app.name}
                </Link>
                {app.disabledAt && <Badge tone="danger">Disabled</Badge>}
                {app.verifiedAt && <Badge tone="success">Verified</Badge>}
              </span>
              <span className="break-all font-mono text-[13px] text-muted">{app.id}</span>
            </span>
            <span className="shrink-0 text-[13px] text-muted">
              <Time at={app.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
