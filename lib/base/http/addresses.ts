/**
 * The rule for a path that differs from an ordinary console page. By default, the rule also applies to all
 * paths below this path. The server, the proxy, the Content Security Policy, the check of the path to open
 * after a sign-in, and the request log use these rules. Paths without a rule are ordinary pages. A new auth
 * page (`app/(auth)`, consent, device) needs a rule. addresses.test.ts compares the rules with the routes in
 * app/. See ADR 0002.
 */
type AddressRule = {
  path: string
  /** Whether the rule applies only to this path, not to paths below it. */
  alone?: boolean
  /** The handler of an endpoint. Undefined for a page. */
  endpoint?: 'oauth' | 'graphql' | 'mcp' | 'health' | 'cron'
  /**
   * Whether the page works without Next's scripts, like the forms that our own server renders
   * (app/auth-pages).
   */
  withoutScripts?: boolean
  /** Whether a form on the page can redirect to a third-party callback URL. */
  leadsAway?: boolean
  /**
   * Whether the page can show third-party apps that the user has not authorized, so that its policy must
   * restrict images.
   */
  showsStrangers?: boolean
  /** Whether the page's style sheet embeds fonts. */
  carriesFonts?: boolean
  /** Whether the files directly below this path are images with their own Content Security Policy. */
  holdsImages?: boolean
  /**
   * Whether a sign-in must not redirect to the page, for example because the page would require another
   * sign-in or end the new session.
   */
  deadEnd?: boolean
}

/** The metadata paths from RFC 8414, OpenID Connect Discovery, and RFC 9728. */
export const wellKnown = {
  authorizationServer: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  protectedResource: '/.well-known/oauth-protected-resource',
}

/** The rules, with the most frequently requested paths first. */
export const addressRules: readonly AddressRule[] = [
  { path: '/oauth', endpoint: 'oauth', leadsAway: true },
  { path: '/graphql/v2', endpoint: 'graphql', alone: true },
  { path: '/mcp', endpoint: 'mcp', alone: true },
  ...Object.values(wellKnown).map((path) => ({ path, endpoint: 'oauth' as const })),
  { path: '/healthz', endpoint: 'health', alone: true },
  { path: '/readyz', endpoint: 'health', alone: true },
  { path: '/api/cron', endpoint: 'cron', alone: true },
  { path: '/login', withoutScripts: true, leadsAway: true, deadEnd: true },
  { path: '/signup', withoutScripts: true, leadsAway: true, deadEnd: true },
  { path: '/two-factor', alone: true, deadEnd: true },
  { path: '/logout', leadsAway: true, deadEnd: true },
  { path: '/forgot-password', withoutScripts: true },
  { path: '/reset-password', withoutScripts: true },
  { path: '/verify-email', withoutScripts: true },
  { path: '/interaction', withoutScripts: true, leadsAway: true, showsStrangers: true },
  { path: '/device', withoutScripts: true, leadsAway: true, showsStrangers: true },
  { path: '/language', alone: true, deadEnd: true },
  { path: '/graphql/explorer', alone: true, carriesFonts: true },
  { path: '/audit-log/export', alone: true, deadEnd: true },
  { path: '/account/data/export', alone: true, deadEnd: true },
  { path: '/pictures', holdsImages: true },
  { path: '/brand', holdsImages: true, withoutScripts: true },
  { path: '/docs', withoutScripts: true },
]

const rules = addressRules.map((rule) => ({ ...rule, below: `${rule.path}/` }))

/**
 * Returns the rule for a path. Returns an empty rule for an ordinary page.
 * @param path the path that the client sent, without the query
 */
export function ruleOf(path: string): Partial<AddressRule> {
  const found = rules.find(
    ({ path: own, below, alone }) => path === own || path === below || (!alone && path.startsWith(below)),
  )
  return found ?? {}
}

/** Returns whether a page has buttons for identity providers, whose forms next-auth handles. */
export const showsProviders = (path: string): boolean => path === '/login' || path === '/signup'

/**
 * Returns whether a path is that of an image with its own Content Security Policy, which must not be replaced
 * with a page's policy.
 */
export const isImage = (path: string): boolean =>
  ruleOf(path).holdsImages === true && /^\/\w+\/[^/]+$/.test(path)

/** Next's limit for the body of a server action, in bytes. All forms without an upload are smaller. */
const mostFormBytes = 1024 * 1024
/**
 * Matches the paths of forms with an image upload. Their handlers have their own limit (`pictureLimits`) and
 * show an error next to the field if the image is larger.
 */
const uploads = /^\/(?:account\/profile\/picture|workspaces\/[^/]+\/settings\/developer\/[^/]+\/logo)\/?$/
/**
 * The maximum size of a request with an upload, in bytes. If the Content-Length header is larger, the request
 * is rejected before a handler receives it.
 */
const mostUploadBytes = 32 * mostFormBytes

/**
 * Returns the maximum length of the body of a request to a page, in bytes, and whether the page accepts
 * uploads.
 * @param path the path without the query
 */
export const bodyLimitOf = (path: string): { most: number; isUpload: boolean } =>
  uploads.test(path) ? { most: mostUploadBytes, isUpload: true } : { most: mostFormBytes, isUpload: false }

export const transportSecurityHeader = 'strict-transport-security'

/**
 * Returns the value of the Strict-Transport-Security header (RFC 6797), which applies for one year. The value
 * does not cover subdomains, because other services can use them.
 * @param baseUrl the value of BASE_URL
 * @returns undefined if BASE_URL is not set, or if it uses http, because browsers then ignore the header
 */
export const strictTransportSecurity = (baseUrl: string | undefined): string | undefined =>
  baseUrl?.startsWith('https:') ? 'max-age=31536000' : undefined

/**
 * Percent-encodes characters that are not visible ASCII, so that the URL can be sent in a header (RFC 3987
 * section 3.1). A lone surrogate becomes U+FFFD, as in browsers.
 */
export const encodeBeyondAscii = (address: string): string =>
  address.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x7e]+/g, encodeURIComponent)
