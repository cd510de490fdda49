import dns, { type LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { remember } from '@/lib/base/process/remember'
import {
  type Allowance,
  currentAllowance,
  literalAddress,
  OutboundError,
  outboundErrorIn,
  requireAllowedAddress,
  requirePort,
} from './check-url'

/**
 * Creates an undici dispatcher that connects only with https, only to public IP addresses and the allowance's
 * networks, and only to port 443 and the allowance's ports. These rules also apply to redirects. To prevent
 * DNS rebinding, the dispatcher checks the IP addresses that the connection itself received from DNS. It also
 * checks the socket's peer address.
 */
function createGuardedAgent(allowance: Allowance): Agent {
  const open = buildConnector({
    timeout: 5_000,
    lookup: guardedLookup(allowance),
    ...(allowance.ca === undefined ? {} : { ca: allowance.ca }),
  })
  return new Agent({
    connections: 8,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    connect(options, callback) {
      try {
        if (options.protocol !== 'https:')
          throw new OutboundError('url', 'Use an address that begins with https://.')
        requirePort(options.port, allowance)
        const literal = literalAddress(options.hostname)
        if (literal !== undefined) requireAllowedAddress(literal, allowance)
      } catch (error) {
        callback(error as Error, null)
        return
      }
      open(options, (failure, socket) => {
        if (failure) return callback(failure, null)
        try {
          requireAllowedAddress(socket.remoteAddress ?? '', allowance)
          callback(null, socket)
        } catch (error) {
          socket.destroy()
          callback(error as Error, null)
        }
      })
    },
  })
}

/**
 * Returns a lookup function that fails if any of a host name's IP addresses is not allowed. If the allowance
 * has networks, the operating system resolves the name, so its hosts file and search domains apply.
 * Otherwise, only DNS is queried.
 */
const guardedLookup =
  (allowance: Allowance): LookupFunction =>
  (hostname, options, callback) => {
    const resolved =
      allowance.networks.length > 0 ? systemLookup(hostname, options) : resolveAddresses(hostname)
    resolved.then(
      (addresses) => {
        try {
          for (const { address } of addresses) requireAllowedAddress(address, allowance)
        } catch (refusal) {
          return callback(refusal as NodeJS.ErrnoException, [])
        }
        const first = addresses[0]
        if (options.all || !first) return callback(null, addresses)
        callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }

const systemLookup = (hostname: string, options: dns.LookupOptions): Promise<dns.LookupAddress[]> =>
  new Promise((resolve, reject) => {
    dns.lookup(hostname, { ...options, all: true }, (error, found) =>
      error ? reject(error) : resolve(found),
    )
  })

const agents = () => remember('outbound-agents', () => new WeakMap<Allowance, Agent>())

/**
 * Returns this process's dispatcher for an allowance. The first call for an allowance creates the dispatcher.
 */
export function guardedAgent(allowance: Allowance = currentAllowance()): Agent {
  const known = agents().get(allowance)
  if (known) return known
  const made = createGuardedAgent(allowance)
  agents().set(allowance, made)
  return made
}

/**
 * DNS queries for names from users and apps. They are sent to the system's name servers directly and not
 * through getaddrinfo. While a name server does not respond, getaddrinfo would block one of Node's threads
 * for many seconds. Other lookups, such as those for the database, need these threads.
 */

/** The error codes for a name that does not have the requested record. */
const noRecord = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * Sends a DNS query.
 * @returns the records, or an empty list if the name does not have the requested record
 * @throws OutboundError with the reason `network` for any other failure, such as name servers that do not
 * respond
 */
async function query<Records>(ask: (resolver: Resolver) => Promise<Records[]>): Promise<Records[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  try {
    return await ask(resolver)
  } catch (error) {
    if (noRecord.has((error as NodeJS.ErrnoException).code ?? '')) return []
    throw new OutboundError('network', 'DNS did not respond. Try again later.', { cause: error })
  }
}

/**
 * Returns the IP addresses in a name's A and AAAA records, IPv4 first. If one of the two queries fails,
 * returns the IP addresses from the other query.
 * @throws OutboundError with the reason `network` if no IP address was found
 */
async function resolveAddresses(name: string): Promise<LookupAddress[]> {
  const found = await Promise.allSettled([
    query(async (resolver) => (await resolver.resolve4(name)).map((address) => ({ address, family: 4 }))),
    query(async (resolver) => (await resolver.resolve6(name)).map((address) => ({ address, family: 6 }))),
  ])
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses
  const failed = found.find((result) => result.status === 'rejected')
  throw (
    failed?.reason ??
    new OutboundError('network', 'The host name has no IP address. Check the host name and its DNS records.')
  )
}

/**
 * Checks that one of a name's TXT records is equal to a given text. The strings of a record are joined (RFC
 * 1035 section 3.3.14), and whitespace around the result is ignored.
 * @returns a sentence that describes the problem, such as a failed query, or undefined if the record was
 * found
 */
export async function txtRecordProblem(record: string, text: string): Promise<string | undefined> {
  try {
    const records = await query((resolver) => resolver.resolveTxt(record))
    if (records.some((strings) => strings.join('').trim() === text)) return undefined
    return records.length === 0
      ? `There is no TXT record at ${record}.`
      : `No TXT record at ${record} contains the expected text.`
  } catch (error) {
    const refused = outboundErrorIn(error)
    if (refused) return refused.message
    throw error
  }
}
