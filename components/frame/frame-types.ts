import type { Theme } from '@/lib/base/http/visitor'

/** A workspace in the console's frame. */
export type FrameWorkspace = {
  name: string
  slug: string
  logoUrl?: string | null
  /** "Admin", "Member", or "Viewer". If the user is only in projects of the workspace, "External". */
  role: string
  /** Whether the user can manage the workspace's apps and read its audit log. */
  manages: boolean
}

/** The counts next to the pages of a workspace in the rail. Undefined counts are not shown. */
type RailCounts = {
  projects?: string | undefined
  members?: string | undefined
  /** The number of open requests for apps. */
  requests?: string | undefined
}

/** A cookie in which JavaScript stores up to `most` slugs or IDs, the most recent first. */
export type FrameCookie = { name: string; secure: boolean; most: number }

/** The workspaces in the switcher. Only a few are listed, regardless of how many the user has. */
export type FrameWorkspaces = {
  /** The workspace that the rail shows, if any. `opened`: whether the open page belongs to this workspace. */
  current: (FrameWorkspace & { opened: boolean; counts?: RailCounts | undefined }) | undefined
  recent: FrameWorkspace[]
  others: FrameWorkspace[]
  /** The cookie with the slugs of the recently opened workspaces. */
  cookie: FrameCookie
  /** The cookie with the IDs of the recently opened projects and apps. */
  places: FrameCookie
}

/** The signed-in user in the console's frame. */
export type FrameUser = {
  id: string
  name: string
  email: string
  avatarUrl?: string | null
  /** Whether to link to the instance admin pages. */
  instanceAdmin?: boolean
  /** The number of unread notifications. */
  unread?: number
}

/** The theme that the user selected, if any, and the action that stores a new choice. */
export type FrameTheme = { chosen: Theme | undefined; choose: (form: FormData) => Promise<void> }
