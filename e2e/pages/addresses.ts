import { consoleAddresses } from './console-addresses'
import type { Address } from './listing'
import { openAddresses } from './open-addresses'

/** All pages that can be opened by their URL alone, without further steps. */
export const addresses: Address[] = [...openAddresses, ...consoleAddresses]

/** A page that redirects signed-in users. */
type Redirect = { route: string; to: RegExp }

export const redirects: Redirect[] = [
  { route: '/', to: /^\/workspaces\/[^/]+$/ },
  { route: '/login/connect', to: /^\/account\/security$/ },
  { route: '/two-factor', to: /^\/workspaces\/[^/]+$/ },
  { route: '/account', to: /^\/account\/profile$/ },
]
