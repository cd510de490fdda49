import type { AppProfile } from '@/lib/features/apps/app-profile'
import type { Role, Scope } from '@/lib/policy/scopes'
import type { LogoOwner } from '../ui/avatar'
import type { PermissionIcon } from './permission-row'

/** The app that requests access. */
export type ConsentApp = LogoOwner & {
  /** The app's own description and links. */
  profile: AppProfile
  /**
   * The name of the workspace that owns the app. It is absent for an app that registered itself, which is
   * shown as not verified.
   */
  workspaceName?: string | undefined
  /** The host of the app's metadata document, if the client ID is the document's URL. */
  documentHost?: string | undefined
  /** Whether an instance admin verified the app. */
  verified?: boolean | undefined
  /**
   * The domain that the app's admins verified. This verification is independent of the verification by an
   * instance admin.
   */
  domain?: string | undefined
}

/** The user who makes the decision. */
export type ConsentUser = { id: string; name: string; email: string; avatarUrl?: string | null | undefined }

/**
 * A permission that the app requests. `text` is one short sentence that starts with a verb: "Read your name
 * and picture".
 */
export type ConsentPermission = {
  scope: Scope
  text: string
  /** A short warning, such as "Sensitive". */
  note?: string
  icon: PermissionIcon
  /** The text that marks a permission as new; undefined if the permission has no such mark. */
  added?: string
  /** Whether the permission is dangerous. Full control of a workspace, for example, is dangerous. */
  danger?: boolean
}

export type PickerOption = {
  id: string
  name: string
  role?: string
  /** The user's role in the workspace or project. */
  own?: Role
  logoUrl?: string | null
  selected?: boolean
  /** How the workspace restricts the app, such as "Needs approval" or "at most viewer". */
  note?: string
  /**
   * Whether the box is disabled, because the workspace does not allow the app or because its approval does
   * not cover the workspace or project.
   */
  closed?: boolean
  /** Whether the user can ask an admin to approve the app or to extend the approval. */
  askable?: boolean
}

/**
 * A group of choices. A group of projects has the name of their workspace as its heading. A group of
 * workspaces has no heading.
 */
export type PickerGroup = { id?: string; heading?: string; options: PickerOption[] }
