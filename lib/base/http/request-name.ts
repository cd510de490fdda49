import type { IncomingMessage } from 'node:http'
import { newRequestId } from '@/lib/base/log/request-scope'
import { isTrustedProxy } from './client-address'

/** The header that has the name of a request, in every answer; a proxy that is believed may send one along. */
export const requestIdHeader = 'x-request-id'

/** What may stand in a log and on a page as it is. */
const safe = /^[\w-]{8,64}$/

/** The name of a request: the one that a trusted proxy gave it, or a new one. See decision 121. */
export function nameOf({ headers, socket }: IncomingMessage): string {
  const sent = headers[requestIdHeader]
  const isTaken = typeof sent === 'string' && safe.test(sent) && isTrustedProxy(socket.remoteAddress)
  return isTaken ? sent : newRequestId()
}
