/**
 * The addresses that differ from an ordinary console page. The server, the proxy, and everything that writes a policy or a
 * redirect read this table. Addresses without a row are ordinary pages. A new auth page (`app/(auth)`, consent, device) needs a
 * row; addresses.test.ts compares the rows with the routes of app/. See ADR 0002.
 */
type AddressRule = {
  path: string
  /** Whether the rule applies to this address only, not to addresses below it. */
  alone?: boolean
  /** The handler of an endpoint; undefined for a page. */
  endpoint?: 'oauth' | 'graphql' | 'mcp' | 'health' | 'cron'
  /** Plain forms without Next's scripts: our own server renders them (app/auth-pages). */
  withoutScripts?: boolean
  /** Whether a form here can end in a redirect to a third-party callback. */
  leadsAway?: boolean
  /** Whether it shows third-party apps. */
  showsStrangers?: boolean
  /** Whether its style sheet embeds fonts. */
  carriesFonts?: boolean
  /** Whether the files directly below it are images with their own policy. */
  holdsImages?: boolean
  /** Whether a sign-in must not return here, because the page would ask again or end the new session. */
  deadEnd?: boolean
}

/** Metadata paths of RFC 8414 and RFC 9728. */
export const wellKnown = {
  authorizationServer: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  protectedResource: '/.well-known/oauth-protected-resource',
}

/** The most requested ones first. */
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
 * Returns the rule of an address; an empty rule for an ordinary page.
 * @param path without the query, as it was sent
 */
export function ruleOf(path: string): Partial<AddressRule> {
  const found = rules.find(
    ({ path: own, below, alone }) => path === own || path === below || (!alone && path.startsWith(below)),
  )
  return found ?? {}
}

/** Returns whether a page has the buttons of the identity providers, which next-auth answers. */
export const showsProviders = (path: string): boolean => path === '/login' || path === '/signup'

/** Returns whether an address is an image with its own policy, which a page's policy would replace. */
export const isImage = (path: string): boolean =>
  ruleOf(path).holdsImages === true && /^\/\w+\/[^/]+$/.test(path)

/** Next's limit for the body of a server action, in bytes. No form of a page is longer. */
const mostFormBytes = 1024 * 1024
/** Forms with an image. Their handlers have their own limit (`pictureLimits`) and report an excess at the field. */
const uploads = /^\/(?:account\/profile\/picture|workspaces\/[^/]+\/settings\/developer\/[^/]+\/logo)\/?$/
/** Larger uploads are rejected unread. */
const mostUploadBytes = 32 * mostFormBytes

/**
 * Returns how long the body of a request to a page can be, in bytes.
 * @param path without its query
 */
export const bodyLimitOf = (path: string): { most: number; isUpload: boolean } =>
  uploads.test(path) ? { most: mostUploadBytes, isUpload: true } : { most: mostFormBytes, isUpload: false }

export const transportSecurityHeader = 'strict-transport-security'

/**
 * Returns the Strict-Transport-Security header (RFC 6797) for one year. It excludes subdomains, which can belong to others.
 * @param baseUrl the BASE_URL
 * @returns undefined if BASE_URL is http, where browsers ignore the header
 */
export const strictTransportSecurity = (baseUrl: string | undefined): string | undefined =>
  baseUrl?.startsWith('https:') ? 'max-age=31536000' : undefined

/**
 * Percent-encodes characters that are not visible ASCII, so that a header can contain the address (RFC 3987 section 3.1).
 * A lone surrogate becomes U+FFFD, as in browsers.
 */
export const encodeBeyondAscii = (address: string): string =>
  address.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x7e]+/g, encodeURIComponent)
