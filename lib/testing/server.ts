import { afterAll } from 'vitest'
import { config } from '@/lib/base/config/env'
import { handleGraphQL } from '@/lib/edges/graphql/handler'
import { handleOAuth } from '@/lib/edges/oauth/http/handler'
import { createDispatcher, type NodeHandler } from '@/lib/server/dispatch'
import { makeHandleMcp } from '@/lib/server/handle-mcp'
import { attach, createHttpServer, drain, listen } from '@/lib/server/http-server'

export type TestServer = {
  /** The server's origin without a trailing slash, which is also the test's BASE_URL. */
  url: string
  /** Sends a request to the server. By default, returns redirects instead of following them. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/** Responds with 404 to requests for pages, which this server does not have by default. */
const noPages: NodeHandler = (_req, res) => {
  res.writeHead(404, { 'content-type': 'text/plain' }).end('The pages are not part of this server.\n')
}

/** Replaces the function that returns docs pages. Returns undefined, because the test server has no pages. */
const noDocs = async () => undefined

/**
 * Starts the product's HTTP server with the test file's database. It serves OAuth, GraphQL, and MCP in the
 * same way as server.ts, but without Next. The server stops after the file's last test.
 * @param pages the handler for all other requests
 */
export async function startTestServer(pages: NodeHandler = noPages): Promise<TestServer> {
  const { PORT, HOST, BASE_URL } = config()
  const server = createHttpServer()
  attach(
    server,
    createDispatcher({ oauth: handleOAuth, graphql: handleGraphQL, mcp: makeHandleMcp(noDocs), pages }),
  )
  await listen(server, PORT, HOST)
  afterAll(async () => {
    server.closeAllConnections()
    await drain(server)
  })
  return {
    url: BASE_URL,
    fetch: (path, init) => fetch(new URL(path, BASE_URL), { redirect: 'manual', ...init }),
  }
}
