import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const parts = (value: string): string[] => value.split(',').map((each) => each.trim())

/** Networks in CIDR notation, comma separated. */
export const networks = z
  .string()
  .transform(parts)
  .refine((all) => all.every((each) => ipaddr.isValidCIDR(each)), {
    error: 'must be networks such as 10.0.0.0/8, separated by commas',
  })

const isAddressOrRange = (entry: string): boolean =>
  entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry)

/** How many proxies are in front, or their addresses or ranges, comma separated. */
export const proxies = z
  .string()
  .refine((value) => /^([1-9]|true)$/.test(value) || parts(value).every(isAddressOrRange), {
    error:
      'must be the number of proxies in front (1 to 9), or addresses and ranges such as 10.0.0.0/8, separated by commas',
  })

/** Addresses of name servers as node takes them: `10.0.0.53`, `10.0.0.53:5353`, `[2001:db8::53]:5353`; comma separated. */
export const nameServers = z
  .string()
  .transform(parts)
  .refine(
    (all) => all.every((each) => isIP(each) || isIP(each.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))),
    {
      error: 'must be addresses such as 10.0.0.53 or 10.0.0.53:5353, separated by commas',
    },
  )
