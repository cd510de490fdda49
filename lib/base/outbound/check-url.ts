import { type Allowance, currentAllowance } from './allowance'
import { OutboundError } from './outbound-error'
import { isInNetworks, isPublicAddress } from './public-address'

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
