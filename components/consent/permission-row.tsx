import type { ReactNode } from 'react'
import { cn } from '../ui/cn'
import {
  Bell,
  Boxes,
  Clock,
  FolderClosed,
  FolderPen,
  type Icon,
  IdCard,
  KeyRound,
  LogIn,
  Mail,
  Settings2,
  ShieldAlert,
} from '../ui/icon'

/** The icons, named by meaning so that callers are independent of the icon set. */
const icons = {
  identity: LogIn,
  profile: IdCard,
  email: Mail,
  workspace: Boxes,
  project: FolderClosed,
  write: FolderPen,
  manage: Settings2,
  admin: ShieldAlert,
  offline: Clock,
  keys: KeyRound,
  notifications: Bell,
} satisfies Record<string, Icon>

export type PermissionIcon = keyof typeof icons

/** Shows the icon of a permission. The arrow of the sign-in icon points in the direction of the text. */
function PermissionMark({ icon, className }: { icon: PermissionIcon; className?: string }) {
  const Icon = icons[icon]
  return <Icon className={cn(className, icon === 'identity' && 'rtl:-scale-x-100')} />
}

const tones = {
  danger: 'bg-danger-soft text-danger',
  warning: 'bg-warning-soft text-warning',
  info: 'bg-info-soft text-info',
}

/** A short note about a permission, such as "Sensitive". */
export type Pill = { tone: keyof typeof tones; text: string }

/**
 * Shows a permission with its icon, which is red if the permission is dangerous. The pills are at the end of
 * the row or, on phones, below the text.
 */
export const PermissionRow = ({
  icon,
  danger = false,
  pills,
  children,
}: {
  icon: PermissionIcon
  danger?: boolean | undefined
  pills: Pill[]
  children: ReactNode
}) => (
  <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2.5 gap-y-1 text-[15px] leading-[22px] sm:grid-cols-[16px_minmax(0,1fr)_auto]">
    <PermissionMark icon={icon} className={cn('mt-[3px] size-4', danger ? 'text-danger' : 'text-muted')} />
    <span className="wrap-anywhere">{children}</span>
    {pills.length > 0 && (
      <span className="flex flex-wrap items-start gap-1 max-sm:col-start-2 sm:flex-col sm:items-end sm:pt-px">
        {pills.map(({ tone, text }) => (
          <span key={text} className={cn('rounded-full px-2 font-medium text-xs leading-5', tones[tone])}>
            {text}
          </span>
        ))}
      </span>
    )}
  </li>
)
