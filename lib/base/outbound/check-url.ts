import ipaddr from 'ipaddr.js'
import { remember } from '@/lib/base/process/remember'

/** Why a request to an address that someone else named did not happen, or its answer was not taken. */
export type OutboundReason =
  | 'url'
  | 'address'
  | 'redirect'
  | 'timeout'
  | 'too-large'
  | 'content-type'
  | 'network'

/** A refused or failed request to the outside; the message is fit for the person who named the address. */
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

/** Finds the OutboundError in an error or among its causes: undici wraps what its connector throws. */
export function outboundErrorIn(error: unknown): OutboundError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'OutboundError') return current as OutboundError
  }
  return undefined
}

/** All of today's global unicast space (RFC 4291 section 2.4); whatever lies outside is not on the public internet. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address is on the public internet: neither private, loopback, link-local, carrier-grade NAT, multicast,
 * documentation nor otherwise reserved (RFC 6890), and no IPv6 form that carries an IPv4 address inside (mapped,
 * translated, 6to4, Teredo), since those reach whatever the inner address names.
 * @param address IPv4 or IPv6 in text form, without brackets; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address)
  if (parsed === undefined || parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/**
 * Whether an address lies in one of some networks.
 * @param networks in CIDR notation, such as `127.0.0.0/8`
 */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const parsed = parse(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return parsed !== undefined && parsed.kind() === base.kind() && parsed.match([base, bits] as never)
  })
}

/** Only the full forms: `ipaddr.js` would also take `127.1`, which no caller of ours ever means. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined
  return ipaddr.parse(address)
}

/**
 * Requires an address that may be called at all: https, no credentials, port 443, no IP address outside the public
 * internet. What a host name leads to is checked again when connecting (`guardedAgent`), on the address really used.
 * @returns the parsed URL, without its fragment
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
  if (literal !== undefined) requireReachable(literal, allowance)
  url.hash = ''
  return url
}

/** The sentence that tells what is wrong with an address; undefined when it may be called. For input schemas. */
export function outboundUrlProblem(value: string, allowance?: Allowance): string | undefined {
  try {
    checkOutboundUrl(value, allowance)
    return undefined
  } catch (error) {
    return (error as OutboundError).message
  }
}

/** @param port as in a URL: empty for the default of https @throws OutboundError `url` for any port but 443 */
export function requirePort(port: string, allowance: Allowance): void {
  if (port !== '' && port !== '443' && !allowance.ports.includes(Number(port))) {
    throw new OutboundError('url', 'Use port 443, the default of https.')
  }
}

/** @throws OutboundError `address` unless the IP address is public or in an allowed network */
export function requireReachable(address: string, allowance: Allowance): void {
  if (isPublicAddress(address) || isInNetworks(address, allowance.networks)) return
  throw new OutboundError('address', 'This address is not on the public internet.')
}

/** The IP address that a URL's host names without asking DNS (RFC 6761 section 6.3 for localhost). */
export function literalAddress(hostname: string): string | undefined {
  const host = hostname.replace(/\.$/, '').toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return '127.0.0.1'
  if (host.startsWith('[')) return host.slice(1, -1)
  return /^[\d.]+$/.test(host) || host.includes(':') ? host : undefined
}

/**
 * What may be reached beyond the rule "port 443 of a public address, with a certificate the system trusts".
 * The product sets one for the instance admin's audit stream alone, of networks that the environment names; tests do, to serve
 * documents and receive webhooks on loopback.
 */
export type Allowance = {
  /** Networks reached although they are not public, in CIDR notation. */
  networks: readonly string[]
  ports: readonly number[]
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string
}

const none: Allowance = { networks: [], ports: [] }

const holder = () => remember('outbound-allowance', () => ({ current: none }))

/** What is allowed beyond the rule in this process: nothing, outside tests. */
export const currentAllowance = (): Allowance => holder().current

/**
 * The rule with networks of the instance admin's added, at any port of theirs, for calls to an address that the instance admin named.
 * @param networks in CIDR notation; with none it is the rule itself
 * @param port as in a URL
 */
export function alsoReaching(networks: readonly string[], port: string): Allowance {
  const current = currentAllowance()
  if (networks.length === 0) return current
  // One object for each, since its connections are kept by it.
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
 * Opens the guard for the tests of this process.
 * @returns closes it again
 * @throws Error unless NODE_ENV is `test`; there is no setting for it, so that no instance admin can open it by accident
 */
export function allowOutboundForTests(allowance: Allowance): () => void {
  if (process.env.NODE_ENV !== 'test') throw new Error('The outbound guard opens in tests only.')
  holder().current = allowance
  return () => {
    holder().current = none
  }
}
