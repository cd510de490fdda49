import Link from 'next/link'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Time } from '../ui/time'

type App = {
  id: string
  name: string
  logoUrl: string | null
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
      {apps.length === 0 && <p className="px-4 py-4 text-muted sm:px-6">It has none.</p>}
      <ul aria-label="OAuth apps">
        {apps.map(({ id, name, logoUrl, verifiedAt, disabledAt, createdAt }) => (
          <li key={id} className="flex items-center gap-3 border-b px-4 py-3 last:border-b-0 sm:px-6">
            <Avatar name={name} src={logoUrl} shape="square" />
            <span className="grid min-w-0 flex-1">
              <span className="flex flex-wrap items-center gap-1.5">
                <Link
                  href={`/operator/apps?${new URLSearchParams({ search: id })}`}
                  className="font-medium hover:underline"
                >
                  {name}
                </Link>
                {disabledAt && <Badge tone="danger">Disabled</Badge>}
                {verifiedAt && <Badge tone="success">Verified</Badge>}
              </span>
              <span className="break-all font-mono text-[13px] text-muted">{id}</span>
            </span>
            <span className="shrink-0 text-[13px] text-muted">
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
