import { config } from '@/lib/config/env'
import { onShutdown, runShutdownTasks } from '@/lib/config/shutdown'
import { endConnections } from '@/lib/db/end-connections'
import { trustPeerHeader } from './client-address'
import { createDispatcher, type NodeHandler } from './dispatch'
import { attach, createHttpServer, drain, listen } from './http-server'
import { setPagePolicy } from './set-page-policy'
import { startBackground } from './start-background'
import { isPlainPage, sendWithoutScripts } from './without-scripts'

export type RunningServer = {
  /** Answers the requests under way, settles what is in memory, and closes the database connections. */
  close: () => Promise<void>
}

/**
 * Starts the product on PORT: OAuth and GraphQL mounted directly on Node's server, the pages through Next.
 * @param dir the folder that holds `.next`, as `next build` left it
 * @throws the system's error when the port cannot be had; ConfigError for wrong settings
 */
export async function startServer(dir: string): Promise<RunningServer> {
  const { PORT, HOST } = config()
  onShutdown('database connections', endConnections)
  // Said before Next starts, whose instrumentation.ts would else stand in for this server.
  trustPeerHeader()
  const server = createHttpServer()
  const [{ default: next }, { handleOAuth }, { handleGraphQL }] = await Promise.all([
    import('next'),
    import('@/lib/oauth/handler'),
    import('@/lib/graphql/handler'),
  ])
  const app = next({ dev: false, dir, httpServer: server, port: PORT, ...(HOST ? { hostname: HOST } : {}) })
  await app.prepare()
  const renderPage = app.getRequestHandler()
  const pages: NodeHandler = (req, res) => {
    const path = (req.url as string).split('?', 1)[0] as string
    setPagePolicy(req, res, path)
    if (isPlainPage(req.method, path)) sendWithoutScripts(req, res)
    return renderPage(req, res)
  }
  attach(server, createDispatcher({ oauth: handleOAuth, graphql: handleGraphQL, pages }))
  await listen(server, PORT, HOST)
  startBackground()
  return {
    close: async () => {
      await drain(server)
      await app.close()
      await runShutdownTasks()
    },
  }
}
