import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { config } from '@/lib/base/config/env'
import { OutboundError, outboundErrorIn } from './outbound-error'

/**
 * DNS queries for names that users and apps provide. They go to the name servers directly (those of DNS_SERVERS, else the
 * system's) and not through getaddrinfo: its threads are shared with every other lookup of the process, the database's and
 * the mail server's included, and one name whose servers do not answer holds a thread for many seconds.
 */

/** The codes for a name without such a record. */
const noRecord = new Set(['ENODATA', 'ENOTFOUND'])

/** @throws OutboundError `network` if no name server answers */
async function query<Records>(ask: (resolver: Resolver) => Promise<Records[]>): Promise<Records[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const { DNS_SERVERS } = config()
  if (DNS_SERVERS.length > 0) resolver.setServers(DNS_SERVERS)
  try {
    return await ask(resolver)
  } catch (error) {
    if (noRecord.has((error as NodeJS.ErrnoException).code ?? '')) return []
    throw new OutboundError('network', 'DNS did not answer.', { cause: error })
  }
}

/**
 * Returns all A and AAAA records of a name, IPv4 first.
 * @throws OutboundError `network` if the name has no address or no name server answers
 */
export async function resolveAddresses(name: string): Promise<LookupAddress[]> {
  const found = await Promise.allSettled([
    query(async (resolver) => (await resolver.resolve4(name)).map((address) => ({ address, family: 4 }))),
    query(async (resolver) => (await resolver.resolve6(name)).map((address) => ({ address, family: 6 }))),
  ])
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses
  const failed = found.find((result) => result.status === 'rejected')
  throw failed?.reason ?? new OutboundError('network', 'The host name has no address.')
}

/**
 * Checks that one of the TXT records of a name has a given text. Records in several strings are joined (RFC 1035 section
 * 3.3.14).
 * @returns a sentence that says what is missing; undefined if the record was found
 */
export async function lookForTxt(record: string, text: string): Promise<string | undefined> {
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
