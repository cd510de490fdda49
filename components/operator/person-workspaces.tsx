import Link from 'next/link'
import type { Role } from '@/lib/policy/scopes'
import { Section } from '../ui/card'

type Membership = { id: string; name: string; role: Role }

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/** The workspaces a person is in, by name. */
export function PersonWorkspaces({ workspaces }: { workspaces: Membership[] }) {
  return (
    <Section title="Workspaces" flush>
      {workspaces.length === 0 && <p className="px-4 py-4 text-muted">No workspaces.</p>}
      <ul aria-label="Workspaces">
        {workspaces.map(({ id, name, role }) => (
          <li
            key={id}
            className="flex items-baseline justify-between gap-3 border-b px-4 py-2.5 last:border-b-0"
          >
            <Link
              href={`/operator/workspaces/${id}`}
              className="wrap-anywhere min-w-0 font-medium hover:underline"
            >
              {name}
            </Link>
            <span className="shrink-0 text-[13px] text-muted">{roleNames[role]}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
