import { FolderClosed } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { Time } from '../ui/time'

export type ListedProject = { id: string; name: string; description: string; createdAt: Date }

/** Projects as rows to open. `empty` says what to do where there is none. */
export function ProjectList({
  projects,
  home,
  empty,
}: {
  projects: ListedProject[]
  /** The workspace's own address. */
  home: string
  empty: { title: string; text: string; action?: ReactNode }
}) {
  if (projects.length === 0) {
    return (
      <Card>
        <EmptyState icon={FolderClosed} title={empty.title} action={empty.action}>
          {empty.text}
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card className="overflow-clip">
      <ul aria-label="Projects">
        {projects.map(({ id, name, description, createdAt }) => (
          <li key={id} className="border-b last:border-b-0">
            <Link
              href={`${home}/projects/${id}`}
              className="flex items-center gap-4 px-4 py-3.5 hover:bg-hover focus-visible:-outline-offset-2 sm:px-6"
            >
              <span className="grid min-w-0 flex-1 gap-0.5">
                <span className="wrap-anywhere font-medium">{name}</span>
                {description && <span className="truncate text-[13px] text-muted">{description}</span>}
              </span>
              <span className="hidden shrink-0 text-[13px] text-muted sm:block">
                Created <Time at={createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
