import { docsNavigation } from '@/lib/features/docs/navigation'
import type { Address } from './listing'
import { authorizeAddress } from './world'

/** Returns a public page. The page's route is the path of `address`, unless `more` contains another route. */
const open = (name: string, address: string, more: Partial<Address> = {}): Address => ({
  route: address.replace(/\?.*/, ''),
  name,
  at: () => address,
  seenBy: 'anyone',
  ...more,
})

/** Returns an error page, which has no page.tsx, with its HTTP status. */
const refused = (status: number, name: string, at: Address['at']): Address => ({
  name,
  at,
  seenBy: 'anyone',
  status,
})

const authPages: Address[] = [
  open('auth/login', '/login'),
  open('auth/login-refused', '/login?error=refused'),
  open('auth/signup', '/signup'),
  open('auth/login-sso', '/login/sso'),
  open('auth/forgot-password', '/forgot-password'),
  open('auth/forgot-password-sent', '/forgot-password?state=sent'),
  open('auth/reset-password-dead', '/reset-password?token=x'),
  open('auth/reset-password-done', '/reset-password?state=done'),
  open('auth/verify-email-dead', '/verify-email?token=x'),
  open('auth/verify-email-done', '/verify-email?state=done'),
  {
    route: '/invitations/[token]',
    name: 'auth/invitation',
    at: (world) => world.invitation,
    seenBy: 'anyone',
    alsoAs: 'viewer',
  },
  open('auth/invitation-dead', '/invitations/gone', { route: '/invitations/[token]' }),
  {
    route: '/dev/mailbox',
    name: 'auth/mailbox',
    at: (world) => `/dev/mailbox?to=${encodeURIComponent(world.admin.email)}`,
    seenBy: 'anyone',
  },
  open('auth/mailbox-empty', '/dev/mailbox?to=nobody%40example.com'),
  refused(404, 'auth/not-found', () => '/no-such-page'),
]

const oauth: Address[] = [
  open('oauth/device', '/device'),
  open('oauth/device-unknown-code', '/device?user_code=BBBB-CCCC&error=unknown'),
  open('oauth/device-connected', '/device?done=authorized'),
  open('oauth/device-denied', '/device?done=denied'),
  open('oauth/expired', '/interaction/0123456789012345678901', { route: '/interaction/[uid]' }),
  open('oauth/graphql-explorer', '/graphql/explorer', { shows: '.graphiql-query-editor' }),
  refused(400, 'oauth/unknown-app', () => '/oauth/auth?client_id=gone'),
  refused(400, 'oauth/wrong-redirect-uri', (world) =>
    authorizeAddress({ ...world, redirectUri: 'https://elsewhere.example/' }),
  ),
]

/**
 * Returns whether a docs page is an article. All articles use the same layout, so they share one template in
 * these tests. Other pages, such as the overview, the schema, and the list of errors, have their own layouts.
 */
const isArticle = (href: string) =>
  !/\/(graphql|reference|errors|search|api|brand)/.test(href) && href !== '/docs'

const docs: Address[] = [
  ...docsNavigation
    .flatMap((group) => group.pages)
    .map(({ href }) =>
      open(
        `docs/${href.replace(/^\/(docs\/?)?/, '') || 'overview'}`,
        href,
        isArticle(href) ? { template: 'article' } : {},
      ),
    ),
  open('docs/reference-noun', '/docs/reference/projects', { route: '/docs/reference/[noun]' }),
  open('docs/search', '/docs/search?q=refresh'),
  open('docs/search-without-findings', '/docs/search?q=kangaroo'),
  open('docs/graphql-type', '/docs/graphql/Project', { route: '/docs/graphql/[type]' }),
]

/** The pages that do not require sign-in. */
export const openAddresses: Address[] = [...authPages, ...oauth, ...docs]
