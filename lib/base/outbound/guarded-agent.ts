import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { remember } from '@/lib/base/process/remember'
import { type Allowance, currentAllowance } from './allowance'
import { literalAddress, requirePort, requireReachable } from './check-url'
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

/** Resolves a name, and fails when any of its addresses is out of bounds. */
const guardedLookup =
  (allowance: Allowance): LookupFunction =>
  (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      try {
        for (const { address } of addresses) requireReachable(address, allowance)
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, [])
      }
      const first = addresses[0]
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

const agents = () => remember('outbound-agents', () => new WeakMap<Allowance, Agent>())

/** The dispatcher of this process; one of its own for each allowance. */
export function guardedAgent(allowance: Allowance = currentAllowance()): Agent {
  const known = agents().get(allowance)
  if (known) return known
  const made = createGuardedAgent(allowance)
  agents().set(allowance, made)
  return made
}
