import ipaddr from 'ipaddr.js'
import { remember } from '@/lib/base/process/remember'

/** The reason why a request to a third-party URL was not sent or failed, or why its response was rejected. */
export type OutboundReason =
  | 'url'
  | 'address'
  | 'redirect'
  | 'timeout'
  | 'too-large'
  | 'content-type'
  | 'network'

/**
 * An error for a rejected or failed outbound request. The message is written for the user who entered the
 * URL.
 */
export class OutboundError extends Error {
  override name = 'OutboundError'
  constructor(
    readonly reason: OutboundReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * Returns the first OutboundError among an error and its causes, or undefined if there is none. The causes
 * are searched because undici wraps its connector's errors.
 */
export function outboundErrorIn(error: unknown): OutboundError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'OutboundError') return current as OutboundError
  }
  return undefined
}

/**
 * The range of global unicast IPv6 addresses (RFC 4291 section 2.4). An IPv6 address outside this range is
 * not public.
 */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Returns whether an IP address is public: not private, loopback, link-local, carrier-grade NAT, multicast,
 * documentation, or reserved (RFC 6890). An IPv6 address with an embedded IPv4 address (mapped, translated,
 * 6to4, Teredo) is never public, because it leads to the IPv4 address, which might not be public.
 * @param address an IPv4 or IPv6 address as text, without brackets; any other text is not public
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address)
  if (parsed === undefined || parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/**
 * Returns whether an IP address is in one of the given networks. Returns false for text that is not an IP
 * address.
 * @param networks networks in CIDR notation, such as `127.0.0.0/8`
 */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const parsed = parse(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return parsed !== undefined && parsed.kind() === base.kind() && parsed.match([base, bits] as never)
  })
}

/**
 * Parses an IP address. Returns undefined for any other text, including short forms of IPv4 addresses such as
 * `127.1`, which `ipaddr.js` would accept.
 */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined
  return ipaddr.parse(address)
}

/** The maximum length of a URL. Parsing a longer URL takes too much CPU time. */
const longestUrl = 2000

/**
 * Requires a URL that can be called: it must have at most `longestUrl` characters and must use https and
 * port 443, and must not contain credentials. Its host must not be a non-public IP address or localhost. The
 * allowance can permit more ports and IP addresses. For any other host name, `guardedAgent` checks the
 * resolved IP addresses when it connects.
 * @returns the parsed URL without its fragment
 * @throws OutboundError with the reason `url` or `address`
 */
export function checkOutboundUrl(value: string | URL, allowance: Allowance = currentAllowance()): URL {
  if (typeof value === 'string' && value.length > longestUrl) {
    throw new OutboundError(
      'url',
      `Use an address with at most ${longestUrl.toLocaleString('en')} characters.`,
    )
  }
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined
  if (url?.protocol !== 'https:') throw new OutboundError('url', 'Use an address that begins with https://.')
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('url', 'Remove the user name and password from the address.')
  }
  requirePort(url.port, allowance)
  const literal = literalAddress(url.hostname)
  if (literal !== undefined) requireAllowedAddress(literal, allowance)
  url.hash = ''
  return url
}

/**
 * Returns a one-sentence error message for a URL, for input schemas. Returns undefined if the URL can be
 * called.
 */
export function outboundUrlProblem(value: string, allowance?: Allowance): string | undefined {
  try {
    checkOutboundUrl(value, allowance)
    return undefined
  } catch (error) {
    return (error as OutboundError).message
  }
}

/**
 * @param port a URL's port, empty for the https default
 * @throws OutboundError with the reason `url` for any port except 443 and those of the allowance
 */
export function requirePort(port: string, allowance: Allowance): void {
  if (port !== '' && port !== '443' && !allowance.ports.includes(Number(port))) {
    throw new OutboundError('url', 'Use port 443, the default port for https.')
  }
}

/**
 * @throws OutboundError with the reason `address` unless the IP address is public or in an allowed network
 */
export function requireAllowedAddress(address: string, allowance: Allowance): void {
  if (isPublicAddress(address) || isInNetworks(address, allowance.networks)) return
  throw new OutboundError('address', 'This address is not on the public internet.')
}

/**
 * Returns the IP address of a URL's host if the host is an IP address, or 127.0.0.1 if the host is localhost
 * or one of its subdomains (RFC 6761 section 6.3). Returns undefined for any other host name, which only DNS
 * can resolve.
 */
export function literalAddress(hostname: string): string | undefined {
  const host = hostname.replace(/\.$/, '').toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return '127.0.0.1'
  if (host.startsWith('[')) return host.slice(1, -1)
  return /^[\d.]+$/.test(host) || host.includes(':') ? host : undefined
}

/**
 * Exceptions to the rules for outbound requests. Without an allowance, requests can reach only servers with a
 * public IP address, on port 443 and with a trusted certificate. In production, only the instance's audit
 * stream can have an allowance, for the networks in AUDIT_STREAM_NETWORKS. Tests use an allowance for servers
 * on loopback addresses.
 */
export type Allowance = {
  /** Non-public networks that can be reached, in CIDR notation. */
  networks: readonly string[]
  ports: readonly number[]
  /** Certificates (PEM) that are trusted instead of the default ones. */
  ca?: string
}

const none: Allowance = { networks: [], ports: [] }

const holder = () => remember('outbound-allowance', () => ({ current: none }))

/** Returns this process's allowance, which is empty except in tests. */
export const currentAllowance = (): Allowance => holder().current

/**
 * Returns an allowance for a URL that an instance admin configured. The result contains the current
 * allowance, the given networks, and the URL's port.
 * @param networks networks in CIDR notation; if there are none, the current allowance is returned without the
 * port
 * @param port the URL's port, empty for the https default
 */
export function allowNetworks(networks: readonly string[], port: string): Allowance {
  const current = currentAllowance()
  if (networks.length === 0) return current
  // Return the same object for equal allowances, because connections are cached by allowance object.
  const known = remember('outbound-allowances', () => new WeakMap<Allowance, Map<string, Allowance>>())
  const made = known.get(current) ?? new Map<string, Allowance>()
  known.set(current, made)
  const key = [port, ...networks].join(' ')
  const found = made.get(key) ?? {
    ...current,
    networks: [...current.networks, ...networks],
    ports: [...current.ports, ...(port === '' ? [] : [Number(port)])],
  }
  made.set(key, found)
  return found
}

/**
 * Sets an allowance for all outbound requests in this process. Available only in tests: no setting exists for
 * this, so that instance admins cannot disable the guard by mistake.
 * @returns a function that removes the allowance
 * @throws Error unless NODE_ENV is `test`
 */
export function allowOutboundForTests(allowance: Allowance): () => void {
  if (process.env.NODE_ENV !== 'test') throw new Error('The outbound guard can be opened only in tests.')
  holder().current = allowance
  return () => {
    holder().current = none
  }
}
