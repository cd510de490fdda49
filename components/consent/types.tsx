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
import type { AppProfile } from '@/lib/features/apps/app-profile'
import type { Role } from '@/lib/policy/scopes'
import type { LogoOwner } from '../ui/avatar'

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

/** Who asks. */
export type ConsentApp = LogoOwner & {
  /** What it says of itself. */
  profile: AppProfile
  /** The workspace that runs it; absent for an app that registered itself, which is then shown as not verified. */
  workspaceName?: string | undefined
  /** The host that describes the app, when its id is the address of a document there. */
  documentHost?: string | undefined
  /** Checked by the instance admin. */
  verified?: boolean | undefined
  /** The domain that its admins proved to be theirs; apart from what the instance admin checked. */
  domain?: string | undefined
}

/** Who is asked. */
export type ConsentPerson = { name: string; email: string; avatarUrl?: string | null | undefined }

/** What a scope means, in one short sentence that starts with a verb: "Read your name and picture". */
export type ConsentPermission = {
  text: string
  /** What makes it special, in a few words: "until you revoke it". */
  note?: string
  icon: PermissionIcon
  /** Said where it is more than the person allowed the app before. */
  added?: string
  /** Marks admin and offline access. */
  danger?: boolean
}

export type PickerOption = {
  id: string
  name: string
  role?: string
  /** The person's own role there. */
  own?: Role
  logoUrl?: string | null
  selected?: boolean
  /** What its workspace says about the app: "Needs approval". */
  note?: string
  /** It lets the app in under no circumstances, or not yet: it cannot be ticked. */
  closed?: boolean
  /** An admin can be asked to let the app in. */
  askable?: boolean
}

/** Projects stand under the name of their workspace; workspaces need no heading. */
export type PickerGroup = { id?: string; heading?: string; options: PickerOption[] }
