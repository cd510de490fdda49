import ipaddr from 'ipaddr.js'
import { remember } from '@/lib/base/process/remember'

/** Why a request to a third-party address was not sent, or its response was rejected. */
export type OutboundReason =
  | 'url'
  | 'address'
  | 'redirect'
  | 'timeout'
  | 'too-large'
  | 'content-type'
  | 'network'

/**
 * Thrown for a rejected or failed outbound request. Its message is written for the user who entered the
 * address.
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

/** Finds the OutboundError in an error or its causes: undici wraps errors of its connector. */
export function outboundErrorIn(error: unknown): OutboundError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'OutboundError') return current as OutboundError
  }
  return undefined
}

/** The global unicast space (RFC 4291 section 2.4). Addresses outside it are not public. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address is public: not private, loopback, link-local, carrier-grade NAT, multicast,
 * documentation, or reserved (RFC 6890), and not an IPv6 form with an embedded IPv4 address (mapped,
 * translated, 6to4, Teredo), because that leads to the IPv4 address.
 * @param address IPv4 or IPv6 as text, without brackets; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address)
  if (parsed === undefined || parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/**
 * Whether an address is in one of several networks.
 * @param networks in CIDR notation, such as `127.0.0.0/8`
 */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const parsed = parse(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return parsed !== undefined && parsed.kind() === base.kind() && parsed.match([base, bits] as never)
  })
}

/** Accepts full forms only. `ipaddr.js` would also accept `127.1`. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined
  return ipaddr.parse(address)
}

/**
 * Requires a callable URL: https, no credentials, port 443, and no IP address outside the public internet.
 * `guardedAgent` checks the resolved address of a host name when it connects.
 * @returns the parsed URL without its fragment
 * @throws OutboundError `url` or `address`
 */
export function checkOutboundUrl(value: string | URL, allowance: Allowance = currentAllowance()): URL {
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined
  if (url?.protocol !== 'https:') throw new OutboundError('url', 'Use an address that begins with https://.')
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('url', 'Leave the user name and password out of the address.')
  }
  requirePort(url.port, allowance)
  const literal = literalAddress(url.hostname)
  if (literal !== undefined) requireAllowedAddress(literal, allowance)
  url.hash = ''
  return url
}

/** Returns the fault of a URL as a sentence, for input schemas; undefined if it can be called. */
export function outboundUrlProblem(value: string, allowance?: Allowance): string | undefined {
  try {
    checkOutboundUrl(value, allowance)
    return undefined
  } catch (error) {
    return (error as OutboundError).message
  }
}

/**
 * @param port as in a URL: empty for the default of https @throws OutboundError `url` for any port but 443
 */
export function requirePort(port: string, allowance: Allowance): void {
  if (port !== '' && port !== '443' && !allowance.ports.includes(Number(port))) {
    throw new OutboundError('url', 'Use port 443, the default of https.')
  }
}

/** @throws OutboundError `address` unless the IP address is public or in an allowed network */
export function requireAllowedAddress(address: string, allowance: Allowance): void {
  if (isPublicAddress(address) || isInNetworks(address, allowance.networks)) return
  throw new OutboundError('address', 'This address is not on the public internet.')
}

/** Returns the IP address of a URL's host without DNS (RFC 6761 section 6.3 for localhost). */
export function literalAddress(hostname: string): string | undefined {
  const host = hostname.replace(/\.$/, '').toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return '127.0.0.1'
  if (host.startsWith('[')) return host.slice(1, -1)
  return /^[\d.]+$/.test(host) || host.includes(':') ? host : undefined
}

/**
 * Additional reachable addresses, beyond port 443 of public addresses with a trusted certificate. The product
 * sets one only for the instance admin's audit stream, with networks from the environment. Tests use one for
 * servers on loopback.
 */
export type Allowance = {
  /** Reachable non-public networks, in CIDR notation. */
  networks: readonly string[]
  ports: readonly number[]
  /** Certificates (PEM) that replace the system's. */
  ca?: string
}

const none: Allowance = { networks: [], ports: [] }

const holder = () => remember('outbound-allowance', () => ({ current: none }))

/** Returns the allowance of this process: nothing, except in tests. */
export const currentAllowance = (): Allowance => holder().current

/**
 * Returns an allowance that adds an instance admin's networks, at any port, for an address that the instance
 * admin configured.
 * @param networks in CIDR notation; none means no allowance
 * @param port as in a URL
 */
export function allowNetworks(networks: readonly string[], port: string): Allowance {
  const current = currentAllowance()
  if (networks.length === 0) return current
  // One object per allowance, because connections are cached by it.
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
 * Allows outbound requests of tests in this process.
 * @returns removes the allowance
 * @throws Error unless NODE_ENV is `test`; there is no setting, so that no instance admin can open it by
 * mistake
 */
export function allowOutboundForTests(allowance: Allowance): () => void {
  if (process.env.NODE_ENV !== 'test') throw new Error('The outbound guard opens in tests only.')
  holder().current = allowance
  return () => {
    holder().current = none
  }
}
