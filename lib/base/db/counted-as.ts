import ipaddr from 'ipaddr.js'

/**
 * What a limit counts by. Whoever has one IPv6 address has 2^64 of them (RFC 6177: a network is a /64 at least), and would
 * pass every limit by taking the next: so its network stands for it. Everything else stands for itself.
 * See decision 031.
 * @param key an address, or who else is counted
 */
export function countedAs(key: string): string {
  if (!key.includes(':') || !ipaddr.IPv6.isValid(key)) return key
  const { parts } = ipaddr.IPv6.parse(key)
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
