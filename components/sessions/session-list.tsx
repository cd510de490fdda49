import { MonitorSmartphone } from 'lucide-react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { Time } from '../ui/time'

export type ListedSession = {
  id: string
  /** The browser and system, in words. */
  device: string
  ip: string | null
  createdAt: Date
  lastUsedAt: Date
  current: boolean
}

/** The browsers a person is signed in with. */
export function SessionList({ sessions, revoke }: { sessions: ListedSession[]; revoke: FormAction }) {
  return (
    <ul aria-label="Sessions">
      {sessions.map(({ id, device, ip, createdAt, lastUsedAt, current }) => (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3.5 last:border-b-0"
        >
          <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-muted" />
          <div className="grid min-w-0 flex-1 gap-0.5">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {device} {current && <Badge tone="success">This browser</Badge>}
            </p>
            <p className="text-[13px] text-muted">
              {ip && <>{ip} · </>}signed in <Time at={createdAt} /> · last used <Time at={lastUsedAt} />
            </p>
          </div>
          {!current && (
            <ActionButton
              action={revoke}
              done="Session signed out"
              fields={{ id }}
              look={{ size: 'small', variant: 'danger-quiet' }}
            >
              Sign out <span className="sr-only">{device}</span>
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
  )
}
