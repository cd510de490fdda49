import ipaddr from 'ipaddr.js'
import { describeDevice } from '@/lib/base/http/visitor'

/** Where a sign-in came from, as it was noted. */
export type SignInOrigin = { ip: string | null; userAgent: string | null }

/**
 * A place as it is compared: the kind of browser, and the network. An address changes from day to day within a provider's network,
 * so half of an IPv4 address counts, and what a provider has of an IPv6 one.
 */
export const placeOf = ({ ip, userAgent }: SignInOrigin): string =>
  `${describeDevice(userAgent)} in ${networkOf(ip ?? '')}`

function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'nowhere'
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv4
    ? address.octets.slice(0, 2).join('.')
    : address.parts
        .slice(0, 2)
        .map((part) => part.toString(16))
        .join(':')
}
