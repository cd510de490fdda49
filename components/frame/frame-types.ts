import type { Theme } from '@/lib/base/http/visitor'

/** A workspace as the console's frame shows it. */
export type FrameWorkspace = {
  name: string
  slug: string
  logoUrl?: string | null
  /** "Admin", "Member", "Viewer", or "Guest" for someone who only shares a project. */
  role: string
  /** Its apps, webhooks and audit log are the person's to manage. */
  manages: boolean
}

/** What the switcher knows: a few of the person's workspaces, however many there are. */
export type FrameWorkspaces = {
  /** The one that the rail speaks of; `opened` where its own page is open, not one of the account. */
  current: (FrameWorkspace & { opened: boolean }) | undefined
  recent: FrameWorkspace[]
  others: FrameWorkspace[]
  /** Where the browser remembers those opened lately. */
  cookie: { name: string; secure: boolean; most: number }
}

/** The signed-in person as the console's frame shows them. */
export type FramePerson = {
  id: string
  name: string
  email: string
  avatarUrl?: string | null
  /** Adds the way to the instance's own pages. */
  instanceAdmin?: boolean
  /** How many notifications are unread. */
  unread?: number
}

/** The look that the person chose, and what remembers another. */
export type FrameTheme = { chosen: Theme | undefined; choose: (form: FormData) => Promise<void> }
