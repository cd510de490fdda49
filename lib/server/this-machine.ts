import type { IncomingMessage } from 'node:http'
import { isLoopback, isPeerHeaderTrusted } from '@/lib/base/http/client-address'

/** The header in which the server tells the pages that a request was made on this machine; a client's own is removed. See decision 071. */
export const thisMachineHeader = 'x-latchkey-this-machine'

/** What a browser on this machine asks for; a page elsewhere whose name was made to lead here (DNS rebinding) has its own. */
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** What proxies and tunnels add: X-Forwarded-*, Forwarded, Via, X-Real-IP, CF-Connecting-IP and their like. */
const forwarding = /^(x-forwarded|x-original|forwarded$|via$|cdn-loop$)|-ip$/

/** A proxy's words; browsers have long spoken HTTP/1.1, while nginx without further settings may pass requests on in 1.0. */
const isByProxy = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion !== '1.1' || Object.keys(headers).some((name) => forwarding.test(name))

/**
 * Notes on a request, before anything changes its headers, whether it was made on this machine: from a loopback address,
 * for a loopback host, passed on by nobody. Whatever the client sent under that name is gone.
 */
export function noteThisMachine(request: IncomingMessage): void {
  const { headers, socket } = request
  delete headers[thisMachineHeader]
  if (isLoopback(socket.remoteAddress) && localHost.test(headers.host ?? '') && !isByProxy(request))
    headers[thisMachineHeader] = 'yes'
}

/**
 * Whether a request, as Next hands it on, was made on this machine.
 * @returns false wherever no server of ours stands in front, which alone can tell
 */
export const isFromThisMachine = (headers: Pick<Headers, 'get'>): boolean =>
  isPeerHeaderTrusted() && headers.get(thisMachineHeader) === 'yes'
