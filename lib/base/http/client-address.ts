import type { IncomingMessage, Server } from 'node:http'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { config } from '@/lib/base/config/env'
import { newRequestId } from '@/lib/base/log/request-scope'
import { keepResults, remember } from '@/lib/base/process/remember'

/** The header in which the server hands on the address of the socket's other end; it overwrites what a client sends. */
export const peerHeader = 'x-latchkey-peer'

const standsInFront = () => remember('own-server', () => ({ yes: false }))

/** Says that the product's own server, or what stands in for it, sets that header; else anybody could have sent it. */
export const trustPeerHeader = (): void => {
  standsInFront().yes = true
}

/** Whether `trustPeerHeader` was called in this process. */
export const isPeerHeaderTrusted = (): boolean => standsInFront().yes

/**
 * The socket's other end as the headers have it: from the server, or, on a platform that runs Next without one, the last
 * of X-Forwarded-For, which the platform sets.
 */
export const peerFromHeaders = (headers: HeaderSource): string | undefined =>
  (standsInFront().yes && headers.get(peerHeader)) ||
  headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ||
  undefined

type HeaderSource = { get(name: string): string | null | undefined }

/**
 * The address a request comes from, for limits and records. Forwarded addresses are believed only where TRUST_PROXY
 * says who may name them. As a number it counts the proxies in front: each adds one address at the right end, so what stands
 * there is the proxies' word and what stands further left only the client's. As a list of addresses it names the proxies:
 * the header is read from the right, past every one of them, to the first address that is none.
 * @param peer the socket's address
 * @param forwardedFor the X-Forwarded-For header
 * @returns a normalised address (an IPv4 one also when it came as IPv4-mapped IPv6), or undefined when there is none
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: string | undefined = config().TRUST_PROXY,
): string | undefined {
  const own = normalise(peer)
  if (!trustProxy || !forwardedFor) return own
  const chain = forwardedFor.split(',').map((entry) => normalise(entry.trim()))
  const proxies = trustProxy === 'true' ? 1 : Number(trustProxy)
  if (Number.isInteger(proxies)) return chain[Math.max(chain.length - proxies, 0)] ?? own
  let client = own
  while (client && isTrusted(client, trustProxy) && chain.length > 0) client = chain.pop() ?? client
  return client
}

/**
 * Whether a socket's other end is a proxy that TRUST_PROXY believes: one of its addresses, or, where it only counts proxies,
 * whoever connects.
 */
function isTrustedProxy(
  peer: string | undefined,
  trustProxy: string | undefined = config().TRUST_PROXY,
): boolean {
  if (!trustProxy) return false
  if (/^([1-9]|true)$/.test(trustProxy)) return true
  const own = normalise(peer)
  return own !== undefined && isTrusted(own, trustProxy)
}

/** The same for a request as Next hands it on. */
export const addressFromHeaders = (headers: HeaderSource): string | undefined =>
  clientAddress(peerFromHeaders(headers), headers.get('x-forwarded-for') ?? undefined)

/** Whether a socket's address is one of this machine alone; false where there is none. */
export function isLoopback(peer: string | undefined): boolean {
  const address = normalise(peer)
  return address !== undefined && ipaddr.parse(address).range() === 'loopback'
}

/** Addresses repeat with every request of a connection, and parsing one costs as much as a small query. '' is no address. */
const known = new LRUCache<string, string>({ max: 1_000 })
const longestAddress = 64

function normalise(address: string | undefined): string | undefined {
  if (address === undefined || address.length > longestAddress) return undefined
  let normalised = known.get(address)
  if (normalised === undefined) {
    normalised = parseAddress(address) ?? ''
    known.set(address, normalised)
  }
  return normalised || undefined
}

function parseAddress(address: string): string | undefined {
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : undefined
}

function isTrusted(address: string, trustProxy: string): boolean {
  const parsed = ipaddr.parse(address)
  return trustProxy.split(',').some((entry) => {
    const range = entry.trim()
    if (!range.includes('/')) return normalise(range) === address
    const [network, bits] = ipaddr.parseCIDR(range)
    return network.kind() === parsed.kind() && parsed.match([network, bits] as never)
  })
}

/** Of an address that stands for a household or an office, what is left: its network (/24 of IPv4, /48 of IPv6). */
const shorten = keepResults(1_000, (address) => {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.octets.with(3, 0).join('.')
  return new ipaddr.IPv6([...parsed.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString()
})

/**
 * Returns the network of a client's address, which is what the log contains: an address is personal data, and what an instance
 * admin looks for in the log is mostly found by its network. See decision 122.
 */
export const loggedAddress = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : shorten(address)

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

/** When each connection that has not brought a request yet was opened, by `performance.now()`. */
const opened = new WeakMap<object, number>()

/** Notes from now on when connections are opened. */
export const noteConnections = (server: Server): void => {
  server.on('connection', (socket) => opened.set(socket, performance.now()))
}

/**
 * When the connection of a request was opened, which was for this request.
 * @returns undefined for a later request of a connection, and where the server is not ours
 */
export function openedFor(req: { socket?: object | null }): number | undefined {
  const at = req.socket ? opened.get(req.socket) : undefined
  if (at !== undefined && req.socket) opened.delete(req.socket)
  return at
}
