import { AppWindow } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { EmptyState } from '../ui/empty-state'
import { Time } from '../ui/time'

export type ListedApp = {
  id: string
  name: string
  type: 'WEB' | 'NATIVE'
  logoUrl: string | null
  createdAt: Date
  disabledAt: Date | null
  people: number
}

/** The OAuth apps of a workspace as rows to open. */
export function AppList({
  apps,
  developerHref,
  create,
}: {
  apps: ListedApp[]
  developerHref: string
  create: ReactNode
}) {
  if (apps.length === 0) {
    return (
      <EmptyState icon={AppWindow} title="No OAuth apps yet" action={create}>
        An OAuth app lets your service sign people in and use the API for them, as far as they agree.
      </EmptyState>
    )
  }
  return (
    <ul aria-label="OAuth apps">
      {apps.map(({ id, name, type, logoUrl, createdAt, disabledAt, people }) => (
        <li key={id} className="border-b last:border-b-0">
          <Link
            href={`${developerHref}/${id}`}
            className="flex items-center gap-3 px-4 py-3.5 hover:bg-hover focus-visible:-outline-offset-2 sm:px-6"
          >
            <Avatar name={name} src={logoUrl} shape="square" />
            <span className="grid min-w-0 flex-1 gap-0.5">
              <span className="flex min-w-0 items-center gap-2">
                <span className="truncate font-medium">{name}</span>
                <Badge>{type === 'WEB' ? 'Web' : 'Native'}</Badge>
                {disabledAt && <Badge tone="danger">Disabled</Badge>}
              </span>
              <span className="truncate font-mono text-[13px] text-muted">{id}</span>
            </span>
            <span className="hidden shrink-0 text-right text-[13px] text-muted tabular-nums sm:grid">
              <span>{people === 1 ? '1 person' : `${people} people`}</span>
              <span>
                Created <Time at={createdAt} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
