import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { MonitorSmartphone } from '../ui/icon'
import { Time } from '../ui/time'

export type ListedSession = {
  id: string
  /** The browser and operating system, as text. */
  device: string
  ip: string | null
  createdAt: Date
  lastUsedAt: Date
  current: boolean
}

/**
 * Lists the browsers in which the user is signed in. Each browser except the current one has a button to sign
 * out.
 */
export function SessionList({ sessions, revoke }: { sessions: ListedSession[]; revoke: FormAction }) {
  return (
    <ul aria-label="Sessions">
      {sessions.map(({ id, device, ip, createdAt, lastUsedAt, current }) => (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3.5 last:border-b-0"
        >
          <MonitorSmartphone className="size-5 shrink-0 text-muted" />
          <div className="grid min-w-0 flex-1 gap-0.5">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {device} {current && <Badge tone="success">This browser</Badge>}
            </p>
            <p className="text-[13px] text-muted">
              {ip && <>{ip} · </>}signed in <Time at={createdAt} /> ·{' '}
              {current ? (
                'active now'
              ) : (
                <>
                  last used <Time at={lastUsedAt} />
                </>
              )}
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

export type ListedSignIn = {
  id: string
  device: string
  ip: string | null
  methods: string[]
  createdAt: Date
}

/**
 * The labels of the authentication methods, in the order in which a sign-in uses the methods. `mfa` has no
 * label, because it never occurs alone.
 */
const ways: [string, string][] = [
  ['pwd', 'password'],
  ['ext', 'another service'],
  ['hwk', 'passkey'],
  ['otp', 'code'],
]

/** Lists sign-ins, each with its device, methods, IP address, and time. */
export const SignInList = ({ signIns }: { signIns: ListedSignIn[] }) => (
  <ul aria-label="Sign-ins">
    {signIns.map(({ id, device, ip, methods, createdAt }) => (
      <li key={id} className="flex flex-wrap items-baseline gap-x-3 border-b px-4 py-2.5 last:border-b-0">
        <span className="wrap-anywhere min-w-0 flex-1 basis-52">
          <span className="font-medium">{device}</span>{' '}
          <span className="text-[13px] text-muted">
            by{' '}
            {ways
              .filter(([method]) => methods.includes(method))
              .map(([, way]) => way)
              .join(' and ')}
            {ip && <> · {ip}</>}
          </span>
        </span>
        <span className="text-[13px] text-muted">
          <Time at={createdAt} />
        </span>
      </li>
    ))}
  </ul>
)
