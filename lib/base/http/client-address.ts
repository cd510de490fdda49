import type { IncomingMessage, Server } from 'node:http'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { config } from '@/lib/base/config/env'
import { newRequestId } from '@/lib/base/log/request-scope'
import { cacheResults, remember } from '@/lib/base/process/remember'

/**
 * The header that contains the socket's peer address. The server overwrites any value that a client sends.
 */
export const peerHeader = 'x-latchkey-peer'

const peerTrust = () => remember('own-server', () => ({ yes: false }))

/**
 * Makes this process trust the peer header. Call this function only if a server in this process sets the
 * header. Otherwise, clients could forge the header.
 */
export const trustPeerHeader = (): void => {
  peerTrust().yes = true
}

/** Returns whether `trustPeerHeader` was called in this process. */
export const isPeerHeaderTrusted = (): boolean => peerTrust().yes

/**
 * Returns the peer address from the headers: the address that our server set or, on a platform that runs Next
 * without our server, the last address in X-Forwarded-For, which the platform sets. Returns undefined if
 * neither is present.
 */
export const peerFromHeaders = (headers: HeaderSource): string | undefined =>
  (peerTrust().yes && headers.get(peerHeader)) ||
  headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ||
  undefined

type HeaderSource = { get(name: string): string | null | undefined }

/**
 * Returns a request's client address, for rate limits and audit records. Forwarded addresses are used only if
 * TRUST_PROXY trusts the proxies that added them. If TRUST_PROXY is a number, it is the number of proxies in
 * front of the server (`true` means 1). Each proxy appends one address, so addresses further left come from
 * the client. If TRUST_PROXY lists the addresses or ranges of proxies and the peer is one of them, the header
 * is read from right to left, up to the first address that is not a proxy. An entry that is not an IP address
 * ends the search, because all entries further left could come from the client.
 * @param peer the socket's peer address
 * @param forwardedFor the X-Forwarded-For header
 * @returns a normalized address (IPv4-mapped IPv6 becomes IPv4), or undefined if there is none
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: string | undefined = config().TRUST_PROXY,
): string | undefined {
  const own = normalize(peer)
  if (!trustProxy || !forwardedFor) return own
  const chain = forwardedFor.split(',').map((entry) => normalize(entry.trim()))
  const proxies = trustProxy === 'true' ? 1 : Number(trustProxy)
  if (Number.isInteger(proxies)) return chain[Math.max(chain.length - proxies, 0)] ?? own
  let client = own
  while (client && isTrusted(client, trustProxy)) {
    const before = chain.pop()
    if (!before) break
    client = before
  }
  return client
}

/**
 * Returns the client address of a request that Node's HTTP server received. Uses the same rules as
 * `clientAddress`.
 * @returns undefined if the address is unknown
 */
export function requestAddress({
  socket,
  headers,
}: Pick<IncomingMessage, 'socket' | 'headers'>): string | undefined {
  const forwarded = headers['x-forwarded-for']
  return clientAddress(socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join(',') : forwarded)
}

/**
 * Returns whether TRUST_PROXY trusts a peer as a proxy. If TRUST_PROXY is not set, no peer is trusted. If it
 * is a number or `true`, every peer is trusted. Otherwise, the peer must match one of the listed addresses or
 * ranges.
 */
function isTrustedProxy(
  peer: string | undefined,
  trustProxy: string | undefined = config().TRUST_PROXY,
): boolean {
  if (!trustProxy) return false
  if (/^([1-9]|true)$/.test(trustProxy)) return true
  const own = normalize(peer)
  return own !== undefined && isTrusted(own, trustProxy)
}

/**
 * Returns the client address of a request that Next handles, based on its headers. Uses the same rules as
 * `clientAddress`.
 */
export const addressFromHeaders = (headers: HeaderSource): string | undefined =>
  clientAddress(peerFromHeaders(headers), headers.get('x-forwarded-for') ?? undefined)

/** Returns whether a socket's peer address is a loopback address, or false if the socket has no address. */
export function isLoopback(peer: string | undefined): boolean {
  const address = normalize(peer)
  return address !== undefined && ipaddr.parse(address).range() === 'loopback'
}

/**
 * A cache of normalized addresses, with an empty text for each invalid address. It saves time because all
 * requests on a connection have the same peer address, and parsing an address takes as long as a small
 * database query.
 */
const known = new LRUCache<string, string>({ max: 1_000 })
const longestAddress = 64

function normalize(address: string | undefined): string | undefined {
  if (address === undefined || address.length > longestAddress) return undefined
  let normalized = known.get(address)
  if (normalized === undefined) {
    normalized = parseAddress(address) ?? ''
    known.set(address, normalized)
  }
  return normalized || undefined
}

function parseAddress(address: string): string | undefined {
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : undefined
}

function isTrusted(address: string, trustProxy: string): boolean {
  const parsed = ipaddr.parse(address)
  return trustProxy.split(',').some((entry) => {
    const range = entry.trim()
    if (!range.includes('/')) return normalize(range) === address
    const [network, bits] = ipaddr.parseCIDR(range)
    return network.kind() === parsed.kind() && parsed.match([network, bits] as never)
  })
}

/**
 * Returns an IP address's network (/24 for IPv4, /48 for IPv6) without the prefix length, such as
 * `203.0.113.0`. Returns an empty text for an invalid address.
 */
const shorten = cacheResults(1_000, (address) => {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.octets.with(3, 0).join('.')
  return new ipaddr.IPv6([...parsed.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString()
})

/**
 * Returns a client address's network for the log. Full addresses are personal data, and instance admins
 * usually need only the network. See ADR 0042.
 */
export const loggedAddress = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : shorten(address)

/**
 * The header with the request ID. Every response contains it, and a trusted proxy can send it in a request to
 * set the ID.
 */
export const requestIdHeader = 'x-request-id'

/** Matches request IDs that can appear unescaped in a log or on a page. */
const safe = /^[\w-]{8,64}$/

/**
 * Returns the request ID that a trusted proxy sent if the ID is safe, or else a new request ID. See ADR 0042.
 */
export function nameOf({ headers, socket }: IncomingMessage): string {
  const sent = headers[requestIdHeader]
  const isTaken = typeof sent === 'string' && safe.test(sent) && isTrustedProxy(socket.remoteAddress)
  return isTaken ? sent : newRequestId()
}

/**
 * The time at which each connection was opened, in `performance.now()` milliseconds. Contains only
 * connections that have not received a request yet.
 */
const opened = new WeakMap<object, number>()

/** Starts recording the time at which each connection to the server opens. */
export const noteConnections = (server: Server): void => {
  server.on('connection', (socket) => opened.set(socket, performance.now()))
}

/**
 * Returns the time at which a request's connection was opened, if this is the connection's first request.
 * Removes the recorded time, so that later requests do not get it. Therefore, call this function once for
 * each request.
 * @returns undefined for later requests on the connection, and if `noteConnections` was not called for the
 * server
 */
export function connectionOpenedAt(req: { socket?: object | null }): number | undefined {
  const at = req.socket ? opened.get(req.socket) : undefined
  if (at !== undefined && req.socket) opened.delete(req.socket)
  return at
}
