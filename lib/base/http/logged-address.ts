import ipaddr from 'ipaddr.js'
import { config } from '@/lib/base/config/env'
import { keepResults } from '@/lib/base/process/keep-results'

/** Of an address that stands for a household or an office, what is left: its network (/24 of IPv4, /48 of IPv6). */
const shorten = keepResults(1_000, (address) => {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.octets.with(3, 0).join('.')
  return new ipaddr.IPv6([...parsed.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString()
})

/**
 * A client's address as the log may hold it: an address is personal data, and what an operator looks for in the log is
 * mostly found by its network. LOG_ADDRESSES says whether it is whole, short or left out. See decision 122.
 * @param address from ./client-address
 */
export function loggedAddress(address: string | undefined): string | undefined {
  const { LOG_ADDRESSES } = config()
  if (address === undefined || LOG_ADDRESSES === 'none') return undefined
  return LOG_ADDRESSES === 'whole' ? address : shorten(address)
}
