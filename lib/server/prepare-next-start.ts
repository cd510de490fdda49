import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { after } from 'next/server'
import { config } from '@/lib/base/config/env'
import { strictTransportSecurity, transportSecurityHeader } from '@/lib/base/http/addresses'
import {
  isPeerHeaderTrusted,
  nameOf,
  peerHeader,
  requestIdHeader,
  trustPeerHeader,
} from '@/lib/base/http/client-address'
import { divertConsole, log } from '@/lib/base/log/log'
import { enterRequest } from '@/lib/base/log/request-scope'
import { setKeepAwake } from '@/lib/base/process/background'
import { createFirstUsers, type LoadDemo } from '@/lib/features/instance-admin/create-admin'
import { followSettings, refreshSettingsIfStale } from '@/lib/features/instance-settings/load-settings'
import { followApis } from '@/lib/features/resources/apis'
import { applyResourcesFile } from '@/lib/features/resources/resources-file'
import { composeEvents } from './compose-events'
import { policyHeader } from './content-security-policy'
import { markLocalRequest } from './dispatch'
import { startHeartbeat } from './health'
import { startBackground } from './jobs'
import { openTelemetry } from './open-telemetry'
import { readPageRoutes, requestRecorder } from './record-request'

/**
 * Prepares a process that runs `next start` or `next dev`, as server.ts prepares the custom server. Starts
 * telemetry, registers the event listeners, starts to handle requests before Next does (`watchRequests`),
 * creates the first users, and applies RESOURCES_FILE. Unless the process is a serverless function, also
 * starts to read the settings and APIs regularly, and starts the background jobs and the heartbeat. Under the
 * custom server, does nothing.
 * @param loadDemo a function that loads prisma/seed
 */
export async function prepareNextStart(loadDemo: LoadDemo): Promise<void> {
  if (isPeerHeaderTrusted()) return
  await openTelemetry()
  composeEvents()
  if (config().production) {
    divertConsole({ log: true })
    readPageRoutes(process.cwd())
  }
  watchRequests()
  await createFirstUsers(loadDemo)
  // A serverless function is frozen between requests, so nothing can run on a schedule. See run-due-jobs.ts.
  if (config().functions) {
    setKeepAwake(keepForRequest)
    await applyResourcesFile()
    return
  }
  await followSettings()
  await applyResourcesFile()
  await followApis()
  startBackground()
  startHeartbeat()
}

/**
 * Keeps a serverless function awake until background work is done. Outside a request, only logs that this is
 * not possible, because Next provides the platform's `waitUntil` only while Next handles a request.
 */
function keepForRequest(work: Promise<unknown>): void {
  try {
    after(work)
  } catch {
    log.debug('nothing keeps the function awake')
  }
}

/**
 * Starts to handle every request to this process's servers before Next does, including requests for files.
 * Records the request, assigns its request ID, sets Strict-Transport-Security, overwrites or removes the
 * headers that only the server can set, and makes this process trust the peer address header. In a serverless
 * function, also reloads stale settings. In production, also makes the servers ignore upgrades.
 */
export function watchRequests(): void {
  const secured = strictTransportSecurity(config().BASE_URL)
  const record = requestRecorder()
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    // Skip requests to the metrics listener, which needs no peer address. Check that METRICS_PORT is set,
    // because the local port of a closed or non-TCP socket is undefined too.
    const { METRICS_PORT } = config()
    if (METRICS_PORT !== undefined && request.socket.localPort === METRICS_PORT.port) return
    const id = nameOf(request)
    response.setHeader(requestIdHeader, id)
    record(request, response, id)
    enterRequest(id)
    if (secured) response.setHeader(transportSecurityHeader, secured)
    trustPeerHeader()
    request.headers[peerHeader] = request.socket.remoteAddress ?? ''
    markLocalRequest(request)
    // Remove the client's value. Only the custom server can set this header. If it is set, the proxy sets no
    // policy (lib/server/content-security-policy).
    delete request.headers[policyHeader]
    if (config().functions) refreshSettingsIfStale()
  })
  // Only hot reloading uses upgrades, so they are ignored in production.
  if (config().production) subscribe('net.server.socket', (message) => refuseUpgrades(message as Opened))
}

type Opened = { socket: Socket & { server: Server } }

/** Removes Next's upgrade listeners, which leave some sockets open (see lib/server/http-server). */
const refuseUpgrades = ({ socket }: Opened) => socket.server.removeAllListeners('upgrade')
