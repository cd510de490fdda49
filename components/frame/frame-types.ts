/** A workspace as the console's frame shows it. */
export type FrameWorkspace = {
  name: string
  slug: string
  logoUrl?: string | null
  /** "Admin", "Member", "Viewer", or "Guest" for someone who only shares a project. */
  role?: string
}

/** The signed-in person as the console's frame shows them. */
export type FramePerson = {
  name: string
  email: string
  avatarUrl?: string | null
  /** Adds the way to the instance's own pages. */
  operator?: boolean
  /** How many notifications are unread. */
  unread?: number
}
