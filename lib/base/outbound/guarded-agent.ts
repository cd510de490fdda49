import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { remember } from '@/lib/base/process/remember'
import { type Allowance, currentAllowance } from './allowance'
import { literalAddress, requirePort, requireReachable } from './check-url'
import { resolveAddresses } from './name-servers'
import { OutboundError } from './outbound-error'

/**
 * An undici dispatcher that connects to port 443 of public addresses only, whoever uses it and wherever a redirect leads.
 * The check is on the addresses that DNS gave for this very connection, so that a name which changes its answer between
 * check and use (DNS rebinding) gains nothing; and once more on the peer of the socket.
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
        if (options.protocol !== 'https:') throw new OutboundError('url', 'Only https is called.')
        requirePort(options.port, allowance)
        const literal = literalAddress(options.hostname)
        if (literal !== undefined) requireReachable(literal, allowance)
      } catch (error) {
        callback(error as Error, null)
        return
      }
      open(options, (failure, socket) => {
        if (failure) return callback(failure, null)
        try {
          requireReachable(socket.remoteAddress ?? '', allowance)
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
 * Resolves a name and fails if any of its addresses is out of bounds. Where the instance admin allows private networks, the
 * system resolves it, which also knows names from the hosts file and search domains.
 */
const guardedLookup =
  (allowance: Allowance): LookupFunction =>
  (hostname, options, callback) => {
    const resolved =
      allowance.networks.length > 0 ? systemLookup(hostname, options) : resolveAddresses(hostname)
    resolved.then(
      (addresses) => {
        try {
          for (const { address } of addresses) requireReachable(address, allowance)
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

/** The dispatcher of this process; one of its own for each allowance. */
export function guardedAgent(allowance: Allowance = currentAllowance()): Agent {
  const known = agents().get(allowance)
  if (known) return known
  const made = createGuardedAgent(allowance)
  agents().set(allowance, made)
  return made
}
