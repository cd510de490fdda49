import { createServer } from 'node:http'
import { config } from '@/lib/base/config/env'
import { endConnections } from '@/lib/base/db/end-connections'
import { readFromReplicas } from '@/lib/base/db/replicas/read-scope'
import { watchClock } from '@/lib/base/db/watch-clock'
import { trustPeerHeader } from '@/lib/base/http/client-address'
import { divertConsole } from '@/lib/base/log/divert-console'
import { log } from '@/lib/base/log/log'
import { runInBackground } from '@/lib/base/process/background'
import { beginShutdown, finishWithin, onShutdown, runShutdownTasks } from '@/lib/base/process/shutdown'
import type { ReadDocs } from '@/lib/edges/mcp/resources'
import { keepUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { followSettings } from '@/lib/features/instance-settings/load-settings'
import { checkSecretKey } from '@/lib/features/sealing/check-secret-key'
import { composeEvents } from './compose-events'
import { createDispatcher, type NodeHandler } from './dispatch'
import { drain } from './drain'
import { startHeartbeat } from './heartbeat'
import { attach, createHttpServer } from './http-server'
import { listen } from './listen'
import { noteMissingOperator } from './note-missing-operator'
import { openTelemetry } from './open-telemetry'
import { tellPageOutage } from './page-outage'
import { pagesInTurn } from './pages-in-turn'
import { readsOnly } from './reads-only'
import { renewSession } from './renew-session'
import { learnPages } from './route-name'
import { setPagePolicy } from './set-page-policy'
import { startBackground } from './start-background'
import { tellStart } from './tell-start'

export type RunningServer = {
  /**
   * Answers the requests under way, settles what is in memory, and closes the database connections. It takes less than
   * eight seconds more than SHUTDOWN_DELAY, whatever a client or the database does; Docker gives a container ten.
   */
  close: () => Promise<void>
}

/**
 * Starts the product on PORT: OAuth and GraphQL mounted directly on Node's server, the pages through Next.
 * @param dir the folder that holds `.next`, as `next build` left it
 * @param throughDoor puts the handler that draws the pages at the door before Next's
 * @param readDocs a page of the docs as Markdown, for agents
 * @throws the system's error when the port cannot be had; ConfigError for wrong settings; Error for a SECRET_KEY that does
 *   not open what is stored
 */
export async function startServer(
  dir: string,
  throughDoor: (pages: NodeHandler) => NodeHandler,
  readDocs: ReadDocs,
): Promise<RunningServer> {
  const { PORT, HOST } = config()
  divertConsole({ log: false })
  await openTelemetry()
  learnPages(dir)
  onShutdown('database connections', endConnections)
  composeEvents()
  await checkSecretKey()
  await followSettings()
  runInBackground('making tables for used tokens', keepUsedTables)
  await watchClock()
  await noteMissingOperator()
  // Said before Next starts, whose instrumentation.ts would else stand in for this server.
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
  // Next listens for upgrades on the server that it is given, and leaves some of those sockets open for ever.
  const unused = createServer()
  const app = next({ dev: false, dir, httpServer: unused, port: PORT, ...(HOST ? { hostname: HOST } : {}) })
  // Held from the start, the public keys are served even if the database goes away before anybody has asked for them.
  await Promise.all([app.prepare(), oauthEngine()])
  const renderPage = pagesInTurn(throughDoor(app.getRequestHandler()))
  const pages: NodeHandler = (req, res) => {
    const path = (req.url as string).split('?', 1)[0] as string
    setPagePolicy(req, res, path)
    renewSession(req, res)
    tellPageOutage(res)
    const render = async () => renderPage(req, res)
    return readsOnly(req.method, path) ? readFromReplicas(render).then(() => undefined) : render()
  }
  attach(
    server,
    createDispatcher({ oauth: handleOAuth, graphql: handleGraphQL, mcp: makeHandleMcp(readDocs), pages }),
  )
  await listen(server, PORT, HOST)
  startBackground()
  startHeartbeat()
  tellStart()
  return {
    close: async () => {
      const since = performance.now()
      log.info('the server stops')
      beginShutdown()
      const noticeMs = config().SHUTDOWN_DELAY * 1_000
      await drain(server, { noticeMs, atMostMs: noticeMs + 4_000 })
      await finishWithin(1_000, 'Next', () => app.close())
      await runShutdownTasks(2_500)
      log.info('the server has stopped', { seconds: Math.round(performance.now() - since) / 1000 })
    },
  }
}
