import { Resolver } from 'node:dns/promises'
import { config } from '@/lib/base/config/env'
import { OutboundError } from './outbound-error'

/** What DNS says where a name has no such record. */
const none = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * The TXT records of a name that a person gave, each in one piece (RFC 1035 section 3.3.14). Name servers alone are asked, the
 * system's or those of DNS_SERVERS: nothing that the name leads to is reached.
 * @throws OutboundError `network` where none of them answers
 */
export async function resolveTxt(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const { DNS_SERVERS } = config()
  if (DNS_SERVERS.length > 0) resolver.setServers(DNS_SERVERS)
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    if (none.has((error as NodeJS.ErrnoException).code ?? '')) return []
    throw new OutboundError('network', 'DNS did not answer.', { cause: error })
  }
}
