/** A page that redirects signed-in users. */
export type Redirect = { route: string; to: RegExp }

export const redirects: Redirect[] = [
  { route: '/', to: /^\/workspaces\/[^/]+$/ },
  { route: '/login/connect', to: /^\/account\/security$/ },
  { route: '/two-factor', to: /^\/workspaces\/[^/]+$/ },
  { route: '/account', to: /^\/account\/profile$/ },
]
