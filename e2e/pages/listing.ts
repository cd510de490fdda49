import type { Page } from '@playwright/test'
import type { Role, World } from './world'

/** The least it takes to see a page. `nobody`: who is not signed in; `viewer`, `member` and `admin`: of the world's workspace. */
export type Audience = 'anyone' | 'user' | 'viewer' | 'member' | 'admin' | 'instanceAdmin'

/** A page, in one state, that an address alone leads to. */
export type Address = {
  /** Its page.tsx, as its folder below app/ without the groups in brackets; none for a page that has no page.tsx. */
  route?: string
  /** Of its pictures; the folder before the slash is its chapter in the contact sheet. */
  name: string
  at: (world: World) => string
  seenBy: Audience
  /** The status it answers with; 200 unless told. */
  status?: number
  /** What the page shows once it is complete, as a CSS selector; for pages that a script draws. */
  shows?: string
  /** A second picture: what somebody sees who may do less. */
  alsoAs?: Role
}

/** What stands at the end of a way, with the route and the name of `Address`. */
type Sight = { route?: string; name: string }

/** Pages, or states of them, that take steps to get to. */
export type Journey = {
  as: Role
  sights: Sight[]
  /** Goes the way and calls `see` at each of the sights, in their order. */
  go: (page: Page, world: World, see: () => Promise<void>) => Promise<void>
}

const order: Role[] = ['viewer', 'member', 'admin']

/**
 * Returns the response of a page to a role.
 * @returns `page`, `missing` for a 404, or `sign-in` for a redirect to /login
 */
export function meets(role: Role, seenBy: Audience): 'page' | 'missing' | 'sign-in' {
  if (seenBy === 'anyone') return 'page'
  if (role === 'nobody') return 'sign-in'
  if (seenBy === 'user' || role === seenBy) return 'page'
  // The instance admin is not a member of the workspace, and none of its members is an instance admin.
  if (seenBy === 'instanceAdmin' || role === 'instanceAdmin') return 'missing'
  return order.indexOf(role) >= order.indexOf(seenBy) ? 'page' : 'missing'
}

/** As whom a page shows the most. */
export function richestRole(seenBy: Audience): Role {
  if (seenBy === 'anyone') return 'nobody'
  return seenBy === 'instanceAdmin' ? 'instanceAdmin' : 'admin'
}

/** Whether a page is worth another look in the browser: one for anyone differs by being signed in alone. */
export function looksDifferentTo(role: Role, seenBy: Audience): boolean {
  return seenBy !== 'anyone' || role === 'nobody' || role === 'viewer'
}
