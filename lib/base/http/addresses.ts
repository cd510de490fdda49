/**
 * The addresses that differ from an ordinary page of the console, and in what: the one table that the server, the proxy
 * and whoever writes a policy or a redirect read. What stands in no row is a page like any other. A new auth page
 * (`app/(auth)`, consent, device) gets a row; addresses.test.ts holds the rows to the routes of app/.
 * See decision 097.
 */
type AddressRule = {
  path: string
  /** Only this address, and not those below it. */
  alone?: boolean
  /** An endpoint, and which handler it is; without it, a page of Next's. */
  endpoint?: 'oauth' | 'graphql' | 'mcp' | 'health' | 'cron'
  /** Plain forms that need none of Next's scripts: our own server renders them without Next (app/auth-pages). */
  withoutScripts?: boolean
  /** A form here may end in a redirect to a third party's callback. */
  leadsAway?: boolean
  /** It shows an app that a stranger may have made. */
  showsStrangers?: boolean
  /** Its style sheet carries fonts in itself. */
  carriesFonts?: boolean
  /** The files right below it are images, with a policy of their own. */
  holdsImages?: boolean
  /** Nobody wants to come back here: it would ask again, or end what has just begun. */
  deadEnd?: boolean
}

/** Where RFC 8414 and RFC 9728 have the metadata begin. */
export const wellKnown = {
  authorizationServer: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  protectedResource: '/.well-known/oauth-protected-resource',
}

/** Those asked for most come first. */
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
  { path: '/second-factor', alone: true, deadEnd: true },
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
 * What is particular about an address.
 * @param path without its query, as it was sent
 * @returns nothing particular for an ordinary page
 */
export function ruleOf(path: string): Partial<AddressRule> {
  const found = rules.find(
    ({ path: own, below, alone }) => path === own || path === below || (!alone && path.startsWith(below)),
  )
  return found ?? {}
}

/** Returns whether a page has the buttons of the identity providers, which next-auth answers. */
export const showsProviders = (path: string): boolean => path === '/login' || path === '/signup'

/** Whether an address is an image that comes with a policy of its own, which a page's would replace. */
export const isImage = (path: string): boolean =>
  ruleOf(path).holdsImages === true && /^\/\w+\/[^/]+$/.test(path)

/** What Next reads for a server action; no form of a page is longer. */
const mostFormBytes = 1024 * 1024
/** Forms with a picture. Their handlers have a limit of their own (`pictureLimits`), and say at the field that it was exceeded. */
const uploads = /^\/(?:account\/profile\/picture|workspaces\/[^/]+\/settings\/developer\/[^/]+\/logo)\/?$/
/** A larger upload is refused without a look at it. */
const mostUploadBytes = 32 * mostFormBytes

/**
 * Returns how long the body of a request to a page can be, in bytes.
 * @param path without its query
 */
export const bodyLimitOf = (path: string): { most: number; isUpload: boolean } =>
  uploads.test(path) ? { most: mostUploadBytes, isUpload: true } : { most: mostFormBytes, isUpload: false }

export const transportSecurityHeader = 'strict-transport-security'

/**
 * What tells browsers to come by https alone for a year (RFC 6797). It says nothing of subdomains, which need not be ours.
 * @param baseUrl the product's own address
 * @returns undefined where that is plain http, which browsers would have to ignore it on
 */
export const strictTransportSecurity = (baseUrl: string | undefined): string | undefined =>
  baseUrl?.startsWith('https:') ? 'max-age=31536000' : undefined

/**
 * Writes an address so that a header can hold it: percent-encoded where it is not visible ASCII (RFC 3987 section 3.1).
 * Half of a surrogate pair becomes U+FFFD, as browsers have it.
 */
export const encodeBeyondAscii = (address: string): string =>
  address.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x7e]+/g, encodeURIComponent)
