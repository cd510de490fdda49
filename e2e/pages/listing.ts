import type { Page } from '@playwright/test'
import type { Role, World } from './world'

/** The lowest role that can open a page. `viewer`, `member`, and `admin` are roles in the workspace of the world. */
export type Audience = 'anyone' | 'user' | 'viewer' | 'member' | 'admin' | 'instanceAdmin'

/** A page in a state that its address alone produces. */
export type Address = {
  /** The folder of its page.tsx below app/, without route groups. Undefined for pages without a page.tsx. */
  route?: string
  /** The name of its screenshots. The part before the slash is the chapter of the contact sheet. */
  name: string
  at: (world: World) => string
  seenBy: Audience
  /** HTTP status. Default: 200. */
  status?: number
  /** CSS selector of an element that appears when the page is complete, for pages rendered by a script. */
  shows?: string
  /** A role with fewer permissions, for a second screenshot. */
  alsoAs?: Role
}

/** A page at the end of a journey. `route` and `name` as in `Address`. */
type Sight = { route?: string; name: string }

/** Pages, or states of pages, that require several steps. */
export type Journey = {
  as: Role
  sights: Sight[]
  /** Performs the steps and calls `see` at each sight, in order. */
  go: (page: Page, world: World, see: () => Promise<void>) => Promise<void>
}

const order: Role[] = ['viewer', 'member', 'admin']

/**
 * Returns the response of a page to a role.
 * @returns `page`, `missing` for a 404, or `sign-in` for a redirect to /login
 */
export function meets(role: Role, seenBy: Audience): 'page' | 'missing' | 'sign-in' {
  if (seenBy === 'anyone') return 'page'
  if (role === 'anonymous') return 'sign-in'
  if (seenBy === 'user' || role === seenBy) return 'page'
  // The instance admin is not a member of the workspace, and none of its members is an instance admin.
  if (seenBy === 'instanceAdmin' || role === 'instanceAdmin') return 'missing'
  return order.indexOf(role) >= order.indexOf(seenBy) ? 'page' : 'missing'
}

/** Returns the role to which a page shows the most. */
export function richestRole(seenBy: Audience): Role {
  if (seenBy === 'anyone') return 'anonymous'
  return seenBy === 'instanceAdmin' ? 'instanceAdmin' : 'admin'
}

/** Returns whether a page looks different to this role. Public pages differ only between signed-in and signed-out users. */
export function looksDifferentTo(role: Role, seenBy: Audience): boolean {
  return seenBy !== 'anyone' || role === 'anonymous' || role === 'viewer'
}
