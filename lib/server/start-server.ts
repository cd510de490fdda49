import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { contradictions } from '@/lib/base/config/contradictions'
import { config, isSettingChosen } from '@/lib/base/config/env'
import { variableNames } from '@/lib/base/config/environment'
import { removedVariables } from '@/lib/base/config/similar-names'
import { watchClock } from '@/lib/base/db/clock'
import { endConnections } from '@/lib/base/db/pool'
import { trustPeerHeader } from '@/lib/base/http/client-address'
import { divertConsole, isLogPretty, log } from '@/lib/base/log/log'
import {
  beginShutdown,
  onShutdown,
  runInBackground,
  runShutdownTasks,
  runWithTimeout,
} from '@/lib/base/process/background'
import { release, releaseCommit } from '@/lib/base/process/release'
import type { ReadDocs } from '@/lib/edges/mcp/resources'
import { keepUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { describeSettings, lacksInstanceAdmin } from '@/lib/features/instance-admin/read-instance'
import { followSettings } from '@/lib/features/instance-settings/load-settings'
import { checkSecretKey } from '@/lib/features/keys/reseal'
import { followApis } from '@/lib/features/resources/apis'
import { applyResourcesFile } from '@/lib/features/resources/resources-file'
import { answerPages } from './answer-pages'
import { composeEvents } from './compose-events'
import { createDispatcher, type NodeHandler } from './dispatch'
import { startHeartbeat } from './health'
import { attach, createHttpServer, drain, listen } from './http-server'
import { startBackground } from './jobs'
import { openTelemetry } from './open-telemetry'
import { readPageRoutes } from './record-request'

export type RunningServer = {
  /**
   * Finishes the requests in progress, stores the counters that are kept in memory, and closes the database
   * connections. Even if a client or the database hangs, this takes no more than SHUTDOWN_DELAY plus eight
   * seconds. With the default delay of one second, this is less than the ten seconds after which Docker kills
   * a stopping container by default.
   */
  close: () => Promise<void>
}

/**
 * Prepares the process, starts the product on PORT, and then starts the background jobs. OAuth, GraphQL, and
 * MCP are mounted directly on Node's server. The auth pages and the docs are rendered without Next, and all
 * other pages with Next.
 * @param dir the folder with `.next`, as built by `next build`
 * @param answerAuthPages returns a handler that renders the auth pages and the docs, and passes all other
 * requests to the given handler
 * @param readDocs returns a docs page as Markdown, for agents
 * @throws ConfigError if a setting is invalid; Error if the port is not available or SECRET_KEY cannot
 * decrypt the stored values
 */
export async function startServer(
  dir: string,
  answerAuthPages: (pages: NodeHandler) => NodeHandler,
  readDocs: ReadDocs,
): Promise<RunningServer> {
  const { PORT, HOST } = config()
  divertConsole({ log: false })
  await openTelemetry()
  readPageRoutes(dir)
  onShutdown('database connections', endConnections)
  composeEvents()
  await checkSecretKey()
  await followSettings()
  await applyResourcesFile()
  await followApis()
  runInBackground('creation of tables for used tokens', keepUsedTables)
  await watchClock()
  await noteMissingInstanceAdmin()
  // Call this before Next starts. Otherwise, instrumentation.ts would set up the process as it does for plain
  // `next start`.
  trustPeerHeader()
  const server = createHttpServer()
  const [{ default: next }, { handleOAuth }, { oauthEngine }, { handleGraphQL }, { makeHandleMcp }] =
    await Promise.all([
      import('next'),
      import('@/lib/edges/oauth/http/handler'),
      import('@/lib/edges/oauth/engine/provider'),
      import('@/lib/edges/graphql/handler'),
      import('./handle-mcp'),
    ])
  // Next listens for upgrades on the server that it receives and leaves some sockets open, so pass it an
  // unused server.
  const unused = createServer()
  const app = next({ dev: false, dir, httpServer: unused, port: PORT, ...(HOST ? { hostname: HOST } : {}) })
  // Load the public keys now, so that the server can return them even if the database becomes unavailable
  // before the first request.
  await Promise.all([app.prepare(), oauthEngine()])
  const pages = answerPages(answerAuthPages(app.getRequestHandler()))
  attach(
    server,
    createDispatcher({ oauth: handleOAuth, graphql: handleGraphQL, mcp: makeHandleMcp(readDocs), pages }),
  )
  await listen(server, PORT, HOST)
  startBackground()
  startHeartbeat()
  logStart()
  return {
    close: async () => {
      const since = performance.now()
      log.info('the server is shutting down')
      beginShutdown()
      const noticeMs = config().SHUTDOWN_DELAY * 1_000
      await drain(server, { noticeMs, atMostMs: noticeMs + 4_000 })
      await runWithTimeout(1_000, 'Next', () => app.close())
      await runShutdownTasks(2_500)
      log.info('the server has stopped', { seconds: Math.round(performance.now() - since) / 1000 })
    },
  }
}

/**
 * Logs that the server has started, with the release and the commit. A log that is not formatted for a
 * terminal also contains the chosen settings, with secrets masked. Logs a warning for each setting that has
 * no effect or contradicts another setting.
 */
export function logStart(): void {
  const { PORT, HOST, BASE_URL } = config()
  // Do not log the settings to a terminal: the user at the terminal usually chose them.
  const given = isLogPretty() ? [] : describeSettings(process.env).filter(({ from }) => from !== 'default')
  log.info(`the server listens on port ${PORT}`, {
    address: BASE_URL,
    reach: HOST ?? 'this machine alone; HOST=0.0.0.0 opens it to others',
    release,
    commit: releaseCommit() ?? 'unknown',
    node: process.version,
    pid: process.pid,
    ...(given.length > 0
      ? { settings: Object.fromEntries(given.map(({ name, value }) => [name, value])) }
      : {}),
  })
  for (const problem of [
    ...removedVariables(process.env, variableNames),
    ...contradictions(config(), isSettingChosen),
  ]) {
    log.warn('a setting has no effect, or contradicts another', { name: problem })
  }
}

/** Logs how to create the first instance admin if the instance has none. */
async function noteMissingInstanceAdmin(): Promise<void> {
  if (await lacksInstanceAdmin()) {
    log.warn(
      'there is no instance admin yet; create one with `latchkey create-admin --email <address> --password-stdin`',
    )
  }
}
