import ipaddr from 'ipaddr.js'

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
