import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { startJobs } from '@/lib/jobs/start-jobs'
import { isPeerHeaderTrusted, peerHeader, trustPeerHeader } from './client-address'

/**
 * Does for plain `next start` what server.ts does before Next: it tells the pages and route handlers the address of the
 * socket's other end, which Next itself lets a client name, and it starts the background jobs. Under server.ts, which has
 * done both, it does nothing. Called once, by instrumentation.ts.
 */
export function startBesideNext(): void {
  if (isPeerHeaderTrusted()) return
  notePeers()
  // A function on demand is frozen between two requests, so nothing could run at set times there.
  if (process.env.VERCEL !== undefined) return
  startJobs().catch((error) => console.error(`background jobs did not start: ${error.message}`))
}

/** Overwrites the header on every request that a server of this process takes; it is believed from the first of them on. */
export function notePeers(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    trustPeerHeader()
    request.headers[peerHeader] = request.socket.remoteAddress ?? ''
  })
}
