import {
  Bell,
  Boxes,
  Clock,
  FolderClosed,
  FolderPen,
  IdCard,
  KeyRound,
  LogIn,
  type LucideIcon,
  Mail,
  Settings2,
  ShieldAlert,
} from 'lucide-react'

/** Named by meaning, so that callers need not know the icon set. */
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
} satisfies Record<string, LucideIcon>

export type PermissionIcon = keyof typeof icons

export function PermissionMark({ icon, className }: { icon: PermissionIcon; className?: string }) {
  const Icon = icons[icon]
  return <Icon aria-hidden className={className} />
}
