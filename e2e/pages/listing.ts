import type { Page } from '@playwright/test'
import type { Role, World } from './world'

/**
 * The lowest role that can open a page. `viewer`, `member`, and `admin` are roles in the world's workspace.
 */
export type Audience = 'anyone' | 'user' | 'viewer' | 'member' | 'admin' | 'instanceAdmin'

/** A page in a state that depends only on the page's URL. */
export type Address = {
  /**
   * The path below app/ of the folder that contains the page's page.tsx, without route groups. Undefined for
   * pages without a page.tsx.
   */
  route?: string
  /** The name of a page template that several routes share. If it is omitted, the route is used. */
  template?: string
  /** The name of the page's screenshots. The part before the slash is the chapter of the contact sheet. */
  name: string
  at: (world: World) => string
  seenBy: Audience
  /** The HTTP status, if it is not 200. */
  status?: number
  /**
   * The CSS selector of an element that appears when the page is complete, for pages that a script renders.
   */
  shows?: string
  /** A role with fewer permissions, for a second screenshot. */
  alsoAs?: Role
}

/** A page that a journey shows. For `route` and `name`, see `Address`. */
type Sight = { route?: string; name: string }

/** Pages, or states of pages, that require several steps. */
export type Journey = {
  as: Role
  sights: Sight[]
  /** Performs the steps, and calls `see` each time the page shows the next of the `sights`. */
  go: (page: Page, world: World, see: () => Promise<void>) => Promise<void>
}

const order: Role[] = ['viewer', 'member', 'admin']

/**
 * Returns how a page responds to a role.
 * @returns `page`, `missing` for a 404, or `sign-in` for a redirect to /login
 */
export function meets(role: Role, seenBy: Audience): 'page' | 'missing' | 'sign-in' {
  if (seenBy === 'anyone') return 'page'
  if (role === 'anonymous') return 'sign-in'
  if (seenBy === 'user' || role === seenBy) return 'page'
  // The instance admin is not a member of the workspace, and none of the workspace's members is an instance
  // admin. So the instance admin gets a 404 for the workspace's pages, and the members get a 404 for the
  // instance admin pages.
  if (seenBy === 'instanceAdmin' || role === 'instanceAdmin') return 'missing'
  return order.indexOf(role) >= order.indexOf(seenBy) ? 'page' : 'missing'
}

/**
 * Returns the role that sees the most of a page. For a public page, returns `anonymous`, because all roles
 * see the same.
 */
export function richestRole(seenBy: Audience): Role {
  if (seenBy === 'anyone') return 'anonymous'
  return seenBy === 'instanceAdmin' ? 'instanceAdmin' : 'admin'
}

/** Returns the signed-in role that sees the least of a page. */
function poorestRole(seenBy: Audience): Role {
  return seenBy === 'anyone' || seenBy === 'user' ? 'viewer' : seenBy
}

/**
 * Returns whether the tests open a page in a role. Only the roles that see the most and the least of a page
 * are tested. A public page looks the same for signed-in users, so the tests open only one page of each
 * template as a signed-in user.
 */
export function opensPage(role: Role, { seenBy }: Address, isSample: boolean): boolean {
  if (role === richestRole(seenBy)) return true
  return role === poorestRole(seenBy) && (seenBy !== 'anyone' || isSample)
}

/**
 * Returns the first `Address` of each page template. Pages without a `template` share one if they have the
 * same route. A page without a route is its own template.
 */
export function samplesOf(addresses: readonly Address[]): Set<Address> {
  const samples = new Map<string, Address>()
  for (const address of addresses) {
    const template = address.template ?? address.route ?? address.name
    if (!samples.has(template)) samples.set(template, address)
  }
  return new Set(samples.values())
}
